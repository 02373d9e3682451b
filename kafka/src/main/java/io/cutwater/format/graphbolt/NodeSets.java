package io.cutwater.format.graphbolt;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.input.VertexFileReader;
import io.cutwater.format.npy.NpyFile;
import io.cutwater.format.vertex.VertexDataFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The vertices of a dataset to train, validate and test with, taken from its arrays of labels and splits: those that
 * have a label, and in a shard only masters and owned ones. Each set is two arrays, {@code train-nodes.npy} and
 * {@code train-labels.npy}, both int64 [t]; a set without vertices has none.
 */
final class NodeSets {
    private static final int READ_ROWS = 4096;

    private final OutputFiles out;
    private final String folder;
    private final @Nullable Path vertices;

    /** @param name in the metadata; the paths are relative to the dataset */
    record NodeSet(String name, String nodes, String labels) {}

    private interface NodeConsumer {
        void accept(VertexSplit split, long row, long label) throws IOException;
    }

    /** @param vertices the table with the roles of the vertices; null if all are the dataset's own */
    NodeSets(OutputFiles out, String folder, @Nullable Path vertices) {
        this.out = out;
        this.folder = folder;
        this.vertices = vertices;
    }

    /** Returns the number of classes, one more than the largest label. */
    static int classes(Path labels) throws IOException {
        long largest = VertexFileReader.NO_LABEL;
        try (NpyFile array = new NpyFile(labels, NpyFile.INT64)) {
            ByteBuffer bytes = NpyFile.allocate(READ_ROWS);
            for (long from = 0; from < array.rows(); from += READ_ROWS) {
                array.read(from, (int) Math.min(READ_ROWS, array.rows() - from), bytes);
                while (bytes.hasRemaining()) {
                    largest = Math.max(largest, bytes.getLong());
                }
            }
        }
        return Math.toIntExact(largest + 1);
    }

    /** Writes the arrays, and returns the sets that have vertices. */
    List<NodeSet> write() throws IOException {
        long[] sizes = new long[VertexSplit.values().length];
        read((split, row, label) -> sizes[split.ordinal()]++);
        List<NodeSet> sets = new ArrayList<>();
        for (VertexSplit split : List.of(VertexSplit.TRAIN, VertexSplit.VAL, VertexSplit.TEST)) {
            long size = sizes[split.ordinal()];
            if (size > 0) {
                sets.add(write(split, size));
            }
        }
        return sets;
    }

    private NodeSet write(VertexSplit split, long size) throws IOException {
        String name = split == VertexSplit.VAL ? "validation_set" : split.label() + "_set";
        NodeSet set = new NodeSet(name, split.label() + "-nodes.npy", split.label() + "-labels.npy");
        try (HashedFile nodes = out.create(folder + set.nodes());
                HashedFile labels = out.create(folder + set.labels())) {
            nodes.write(NpyFile.header(NpyFile.INT64, size));
            labels.write(NpyFile.header(NpyFile.INT64, size));
            ByteBuffer number = NpyFile.allocate(1);
            read((other, row, label) -> {
                if (other == split) {
                    nodes.write(number.clear().putLong(row).flip());
                    labels.write(number.clear().putLong(label).flip());
                }
            });
        }
        return set;
    }

    private void read(NodeConsumer consumer) throws IOException {
        try (NpyFile splits = new NpyFile(out.path(folder + VertexDataFiles.SPLIT), NpyFile.INT8);
                NpyFile labels = new NpyFile(out.path(folder + VertexDataFiles.LABELS), NpyFile.INT64);
                NpyFile roles = vertices == null ? null : new NpyFile(vertices, NpyFile.INT64)) {
            ByteBuffer splitBytes = ByteBuffer.allocate(READ_ROWS);
            ByteBuffer labelBytes = NpyFile.allocate(READ_ROWS);
            int columns = roles == null ? 0 : Math.toIntExact(roles.columns());
            ByteBuffer roleBytes = NpyFile.allocate(READ_ROWS * columns);
            for (long from = 0; from < splits.rows(); from += READ_ROWS) {
                int count = (int) Math.min(READ_ROWS, splits.rows() - from);
                splits.read(from, count, splitBytes);
                labels.read(from, count, labelBytes);
                if (roles != null) {
                    roles.read(from * columns, count * columns, roleBytes);
                }
                for (int i = 0; i < count; i++) {
                    long label = labelBytes.getLong();
                    boolean isOwn = roles == null || roleBytes.getLong((i * columns + 1) * Long.BYTES) == 0;
                    if (isOwn && label != VertexFileReader.NO_LABEL) {
                        consumer.accept(VertexSplit.of(splitBytes.get(i)), from + i, label);
                    }
                }
            }
        }
    }
}
