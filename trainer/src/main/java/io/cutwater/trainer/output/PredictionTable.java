package io.cutwater.trainer.output;

import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Classes and embeddings of all vertices, stored by shard and read in ascending order of the vertices. */
public final class PredictionTable {
    private final List<Part> parts = new ArrayList<>();
    private final int width;
    private long rows;

    /** @param width length of an embedding, 0 for none */
    public PredictionTable(int width) {
        this.width = width;
    }

    private record Part(ShardStore store, int[] classes, EmbeddingSource embeddings) {}

    /** Receives vertices. */
    @FunctionalInterface
    interface RowConsumer {
        /**
         * Receives the next vertex.
         *
         * @param embedding valid until the call returns
         */
        void accept(long vertex, int predicted, float[] embedding) throws IOException;
    }

    /**
     * Adds a shard.
     *
     * @param classes predicted classes of the vertices that the shard owns
     */
    public void add(ShardStore store, int[] classes, EmbeddingSource embeddings) {
        parts.add(new Part(store, classes, embeddings));
        rows += classes.length;
    }

    public long rows() {
        return rows;
    }

    /** Returns the vertices, ascending. */
    public long[] vertices() {
        long[] vertices = new long[Math.toIntExact(rows)];
        int count = 0;
        for (Part part : parts) {
            for (int local = 0; local < part.classes().length; local++) {
                vertices[count++] = part.store().vertex(local);
            }
        }
        Arrays.sort(vertices);
        return vertices;
    }

    int width() {
        return width;
    }

    void read(RowConsumer consumer) throws IOException {
        int[] next = new int[parts.size()];
        PriorityQueue<Integer> order = new PriorityQueue<>(
                Comparator.comparingLong(part -> parts.get(part).store().vertex(next[part])));
        for (int part = 0; part < next.length; part++) {
            if (parts.get(part).classes().length > 0) {
                order.add(part);
            }
        }
        FloatBuffer embedding = FloatBuffer.allocate(width);
        while (!order.isEmpty()) {
            int at = order.remove();
            Part part = parts.get(at);
            if (width > 0) {
                part.embeddings().embedding(next[at], embedding.clear());
            }
            consumer.accept(part.store().vertex(next[at]), part.classes()[next[at]], embedding.array());
            if (++next[at] < part.classes().length) {
                order.add(at);
            }
        }
    }
}
