package io.cutwater.trainer.shard;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** Classes and splits of vertices 0 to n − 1, from files with one line each; 5 bytes a vertex in memory. */
public final class VertexLabels {
    private static final Split[] SPLITS = Split.values();

    private final int[] labels;
    private final byte[] splits;
    private final int classCount;

    private VertexLabels(int[] labels, byte[] splits, int classCount) {
        this.labels = labels;
        this.splits = splits;
        this.classCount = classCount;
    }

    /**
     * Reads both files; either may be longer, its other vertices then have no class, or serve for nothing.
     *
     * @throws IOException with a sentence that names the line
     */
    public static VertexLabels read(Path labelFile, Path splitFile) throws IOException {
        int[][] labels = {new int[1024]};
        int[] classes = {0};
        int count = Math.toIntExact(TextFile.read(labelFile, (vertex, line) -> {
            int label = label(line.strip());
            if (vertex == labels[0].length) {
                labels[0] = Arrays.copyOf(labels[0], 2 * labels[0].length);
            }
            labels[0][(int) vertex] = label;
            classes[0] = Math.max(classes[0], label + 1);
        }));
        byte[] splits = new byte[count];
        TextFile.read(splitFile, (vertex, line) -> {
            Split split = Split.of(line.strip());
            if (vertex < count && labels[0][(int) vertex] >= 0) {
                splits[(int) vertex] = (byte) split.ordinal();
            }
        });
        return new VertexLabels(Arrays.copyOf(labels[0], count), splits, classes[0]);
    }

    /** No vertex has a class: for prediction. */
    public static VertexLabels none() {
        return new VertexLabels(new int[0], new byte[0], 0);
    }

    private static int label(String text) {
        try {
            int label = Integer.parseInt(text);
            if (label >= -1) {
                return label;
            }
        } catch (NumberFormatException e) {
            // told below, as what is below -1
        }
        throw new IllegalArgumentException("must be a class from 0, or -1 for none, and is '%s'".formatted(text));
    }

    /** One more than the highest class. */
    public int classCount() {
        return classCount;
    }

    /** The class of a vertex, −1 for none. */
    int label(long vertex) {
        return vertex >= 0 && vertex < labels.length ? labels[(int) vertex] : -1;
    }

    Split split(long vertex) {
        return vertex >= 0 && vertex < splits.length ? SPLITS[splits[(int) vertex]] : Split.NONE;
    }
}
