package io.cutwater.trainer.linked;

import io.cutwater.state.graph.SlotIndex;
import io.cutwater.trainer.sampler.Hop;
import java.io.IOException;
import java.util.Arrays;

/**
 * Samples neighbours in the whole graph without replacement. The sample of a vertex is a function of the draw and the
 * vertex, so it does not matter which shard asks. A vertex with no more neighbours than the fan-out gets all of them.
 * Used by one thread; memory grows with the sample, and not with the graph.
 */
public final class GraphSampler {
    private final GraphReader reader;
    private long[] vertices = new long[1024]; // of the hop, by number
    private int[] degrees = new int[1024];
    private final SlotIndex numbers = new SlotIndex(1, vertices.length);
    private int vertexCount;

    /** @param reader reader of the shard that asks */
    public GraphSampler(GraphReader reader) {
        this.reader = reader;
    }

    /** Begins without targets. */
    public void begin() {
        numbers.clear();
        vertexCount = 0;
    }

    /** Adds a target, which must be a new one. */
    public void target(long vertex, int degree) {
        number(vertex, degree);
    }

    /**
     * Creates a hop to the current vertices; its sources become the current vertices.
     *
     * @param draw seed of the hop's samples
     * @throws IllegalStateException if a shard fails; the message is meant for users
     */
    public Hop hop(int fanout, long draw) throws IOException, InterruptedException {
        int targetCount = vertexCount;
        int[] offsets = new int[targetCount + 1];
        for (int target = 0; target < targetCount; target++) {
            offsets[target + 1] = Math.addExact(offsets[target], Home.sampleSize(degrees[target], fanout));
        }
        int[] listed = Arrays.copyOf(degrees, targetCount);
        long[] found = new long[offsets[targetCount]];
        int[] ofFound = new int[found.length];
        reader.neighbours(vertices, offsets, fanout, draw, found, ofFound);
        int[] sources = new int[found.length];
        for (int i = 0; i < found.length; i++) {
            sources[i] = number(found[i], ofFound[i]);
        }
        return new Hop(targetCount, offsets, sources, listed, Arrays.copyOf(degrees, vertexCount));
    }

    private int number(long vertex, int degree) {
        int number = numbers.find(vertex, vertices);
        if (number == SlotIndex.NO_SLOT) {
            if (vertexCount == vertices.length) {
                vertices = Arrays.copyOf(vertices, Math.multiplyExact(2, vertexCount));
                degrees = Arrays.copyOf(degrees, vertices.length);
                numbers.grow(vertices.length, vertexCount, vertices);
            }
            number = vertexCount++;
            vertices[number] = vertex;
            degrees[number] = degree;
            numbers.insert(vertex, number);
        }
        return number;
    }

    /** Returns the number of current vertices. */
    public int vertexCount() {
        return vertexCount;
    }

    /** Returns the current vertices by number. */
    public long[] vertices() {
        return Arrays.copyOf(vertices, vertexCount);
    }
}
