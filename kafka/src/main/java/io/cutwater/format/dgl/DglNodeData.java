package io.cutwater.format.dgl;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.input.VertexShape;
import io.cutwater.format.npy.NpyFile;
import io.cutwater.format.vertex.VertexDataFiles;
import io.cutwater.format.vertex.VertexDataRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the data of all vertices in the order of their dense ids, as the chunks of {@link DglFiles}. The names are
 * those that DGL's examples read. Arrays that the input does not have are omitted.
 *
 * <pre>
 *   dgl/node_data/features-00000.npy    float32 [n, d]; 0 for a vertex without a row
 *   dgl/node_data/labels-00000.npy      int64 [n]; −1 for none
 *   dgl/node_data/train_mask-00000.npy  bool [n]; val_mask and test_mask likewise
 * </pre>
 */
public final class DglNodeData implements VertexDataFiles.RowConsumer {
    private static final String FEATURES = "features";
    private static final String LABELS = "labels";
    private static final List<String> MASKS = List.of("train_mask", "val_mask", "test_mask");
    private static final List<VertexSplit> SPLITS = List.of(VertexSplit.TRAIN, VertexSplit.VAL, VertexSplit.TEST);

    private final OutputFiles out;
    private final int chunks;
    private final long vertexCount;
    private final VertexShape shape;
    private final List<HashedFile> open = new ArrayList<>();
    private final ByteBuffer bytes;
    private int chunk = -1;
    private long left;

    /**
     * @param chunks how many, at least 1
     * @param vertexCount the number of rows to come
     */
    public DglNodeData(OutputFiles out, int chunks, long vertexCount, VertexShape shape) throws IOException {
        this.out = out;
        this.chunks = chunks;
        this.vertexCount = vertexCount;
        this.shape = shape;
        bytes = ByteBuffer.allocate(Math.max(Long.BYTES, shape.featureCount() * Float.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN);
        nextChunk();
    }

    /** Returns the names of the arrays, in the order of a row. */
    static List<String> names(VertexShape shape) {
        List<String> names = new ArrayList<>();
        if (shape.featureCount() > 0) {
            names.add(FEATURES);
        }
        if (shape.hasLabels()) {
            names.add(LABELS);
        }
        if (shape.hasSplit()) {
            names.addAll(MASKS);
        }
        return names;
    }

    /** Returns the path of a chunk of an array, relative to the folder of the metadata. */
    static String chunk(String name, int chunk) {
        return "node_data/%s-%05d.npy".formatted(name, chunk);
    }

    /** Opens the next chunk, and completes those without vertices before it. */
    private void nextChunk() throws IOException {
        while (left == 0 && chunk + 1 < chunks) {
            close();
            chunk++;
            left = DglFiles.chunkSize(vertexCount, chunks, chunk);
            for (String name : names(shape)) {
                HashedFile file = out.create(DglFiles.ROOT + chunk(name, chunk));
                open.add(file);
                file.write(
                        switch (name) {
                            case FEATURES -> NpyFile.header(NpyFile.FLOAT32, left, shape.featureCount());
                            case LABELS -> NpyFile.header(NpyFile.INT64, left);
                            default -> NpyFile.header(NpyFile.BOOL, left);
                        });
            }
        }
    }

    /** Appends the data of the vertex with the next dense id. */
    @Override
    public void accept(VertexDataRow row) throws IOException {
        int at = 0;
        if (shape.featureCount() > 0) {
            bytes.clear();
            bytes.asFloatBuffer().put(row.features);
            open.get(at++).write(bytes.limit(row.features.length * Float.BYTES));
        }
        if (shape.hasLabels()) {
            bytes.clear();
            open.get(at++).write(bytes.putLong(row.label).flip());
        }
        if (shape.hasSplit()) {
            for (VertexSplit split : SPLITS) {
                open.get(at++).write(row.split == split.ordinal() ? 1 : 0);
            }
        }
        left--;
        nextChunk();
    }

    @Override
    public void close() throws IOException {
        for (HashedFile file : open) {
            file.close();
        }
        open.clear();
    }
}
