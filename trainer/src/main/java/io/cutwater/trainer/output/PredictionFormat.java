package io.cutwater.trainer.output;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** How predictions are written. */
public enum PredictionFormat {
    /** {@code vertex,class}, and the embedding as {@code e0,e1,…} behind it. */
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
            writeArray(
                    table,
                    folder.resolve("vertices.npy"),
                    "<i8",
                    "%d,",
                    1,
                    (vertex, predicted, embedding, out) -> out.putLong(vertex));
            writeArray(
                    table,
                    folder.resolve("classes.npy"),
                    "<i8",
                    "%d,",
                    1,
                    (vertex, predicted, embedding, out) -> out.putLong(predicted));
            if (table.width() > 0) {
                String shape = "%d, " + table.width();
                writeArray(
                        table,
                        folder.resolve("embeddings.npy"),
                        "<f4",
                        shape,
                        table.width(),
                        (vertex, predicted, embedding, out) ->
                                out.asFloatBuffer().put(embedding));
            }
        }
    };

    private static final int HEADER_BYTES = 128;

    private interface Row {
        void put(long vertex, int predicted, float[] embedding, ByteBuffer out);
    }

    /** Writes a table into a folder that exists. */
    public abstract void write(PredictionTable table, Path folder) throws IOException;

    private static void writeArray(PredictionTable table, Path file, String type, String shape, int numbers, Row row)
            throws IOException {
        int numberBytes = Character.digit(type.charAt(2), 10);
        ByteBuffer buffer = ByteBuffer.allocate(numbers * numberBytes).order(ByteOrder.LITTLE_ENDIAN);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
            out.write(header("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }"
                    .formatted(type, shape.formatted(table.rows()))));
            table.read((vertex, predicted, embedding) -> {
                row.put(vertex, predicted, embedding, buffer.clear());
                out.write(buffer.array());
            });
        }
    }

    /** Magic, version 1.0, length, and the text filled with blanks up to a line's end. */
    private static byte[] header(String text) {
        byte[] header = new byte[HEADER_BYTES];
        Arrays.fill(header, (byte) ' ');
        ByteBuffer.wrap(header)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0x93)
                .put("NUMPY".getBytes(StandardCharsets.US_ASCII))
                .put((byte) 1)
                .put((byte) 0)
                .putShort((short) (HEADER_BYTES - 10))
                .put(text.getBytes(StandardCharsets.US_ASCII));
        header[HEADER_BYTES - 1] = '\n';
        return header;
    }
}
