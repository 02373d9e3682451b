package io.cutwater.trainer.output;

import io.cutwater.format.npy.NpyFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Formats of predictions. */
public enum PredictionFormat {
    /** {@code vertex,class}, followed by the embedding as {@code e0,e1,…}. */
    CSV {
        @Override
        public void write(PredictionTable table, Path folder) throws IOException {
            try (PrintWriter out = new PrintWriter(
                    Files.newBufferedWriter(folder.resolve("predictions.csv"), StandardCharsets.UTF_8))) {
                out.print("vertex,class");
                for (int i = 0; i < table.width(); i++) {
                    out.print(",e" + i);
                }
                out.print('\n');
                table.read((vertex, predicted, embedding) -> {
                    out.print(vertex);
                    out.print(',');
                    out.print(predicted);
                    for (float number : embedding) {
                        out.print(',');
                        out.print(number);
                    }
                    out.print('\n');
                });
                if (out.checkError()) {
                    throw new IOException("%s cannot be written; is the disk full?".formatted(folder));
                }
            }
        }
    },
    /**
     * NumPy arrays: {@code vertices.npy} int64 [n], {@code classes.npy} int64 [n], {@code embeddings.npy} float32 [n,
     * d].
     */
    NPY {
        @Override
        public void write(PredictionTable table, Path folder) throws IOException {
            long rows = table.rows();
            byte[] column = NpyFile.header(NpyFile.INT64, rows);
            writeArray(
                    table,
                    folder.resolve("vertices.npy"),
                    column,
                    Long.BYTES,
                    (vertex, predicted, embedding, out) -> out.putLong(vertex));
            writeArray(
                    table,
                    folder.resolve("classes.npy"),
                    column,
                    Long.BYTES,
                    (vertex, predicted, embedding, out) -> out.putLong(predicted));
            int width = table.width();
            if (width > 0) {
                byte[] header = NpyFile.header(NpyFile.FLOAT32, rows, width);
                writeArray(
                        table,
                        folder.resolve("embeddings.npy"),
                        header,
                        width * Float.BYTES,
                        (vertex, predicted, embedding, out) ->
                                out.asFloatBuffer().put(embedding));
            }
        }
    };

    private interface Row {
        void put(long vertex, int predicted, float[] embedding, ByteBuffer out);
    }

    /** Writes a table into an existing folder. */
    public abstract void write(PredictionTable table, Path folder) throws IOException;

    private static void writeArray(PredictionTable table, Path file, byte[] header, int rowBytes, Row row)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(rowBytes).order(ByteOrder.LITTLE_ENDIAN);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            out.write(header);
            table.read((vertex, predicted, embedding) -> {
                row.put(vertex, predicted, embedding, buffer.clear());
                out.write(buffer.array());
            });
        }
    }
}
