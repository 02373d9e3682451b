package io.cutwater.trainer.sync;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.SamplingOptions;
import java.util.Arrays;

/**
 * Samples neighbours in the whole graph without replacement. The sample of a vertex is a function of the draw and the
 * vertex, so it does not matter which shard asks. A vertex with no more neighbours than the fan-out gets all of them.
 * Used by one thread; memory grows with the sample, and not with the graph.
 */
final class GraphSampler {
    private final LinkedShards shards;
    private final int rank;
    private long[] vertices = new long[1024]; // of the hop, by number
    private final SlotIndex numbers = new SlotIndex(1, vertices.length);
    private int vertexCount;
    private int[] sources = new int[4096];
    private int sourceCount;
    private int[] drawn = new int[32];
    private long bytes;

    /** @param rank the shard that asks */
    GraphSampler(LinkedShards shards, int rank) {
        this.shards = shards;
        this.rank = rank;
    }

    /** Begins without targets. */
    void begin() {
        numbers.clear();
        vertexCount = 0;
    }

    /** Adds a target, which must be a new one. */
    void target(long vertex) {
        number(vertex);
    }

    /**
     * Creates a hop to the current vertices; its sources become the current vertices.
     *
     * @param draw seed of the hop's samples
     */
    Hop hop(int fanout, long draw) {
        int targetCount = vertexCount;
        int[] offsets = new int[targetCount + 1];
        int[] listed = new int[targetCount];
        sourceCount = 0;
        for (int target = 0; target < targetCount; target++) {
            long vertex = vertices[target];
            listed[target] = shards.degree(vertex);
            if (LinkedShards.shard(vertex) != rank) {
                bytes += Long.BYTES + Integer.BYTES; // the vertex there, and its degree back
            }
            if (fanout == SamplingOptions.ALL || listed[target] <= fanout) {
                shards.neighbours(vertex, this::addSource);
            } else {
                draw(vertex, listed[target], fanout, draw);
            }
            offsets[target + 1] = sourceCount;
        }
        int[] degrees = new int[vertexCount];
        for (int source = 0; source < vertexCount; source++) {
            degrees[source] = shards.degree(vertices[source]);
        }
        return new Hop(targetCount, offsets, Arrays.copyOf(sources, sourceCount), listed, degrees);
    }

    /** Samples positions with Floyd's algorithm (Bentley and Floyd 1987): one hash per sampled neighbour. */
    private void draw(long vertex, int total, int count, long draw) {
        if (drawn.length < count) {
            drawn = new int[count];
        }
        long key = Hashing.mix64(draw, shards.store(LinkedShards.shard(vertex)).vertex(LinkedShards.local(vertex)));
        for (int i = 0; i < count; i++) {
            int last = total - count + i;
            int position = Hashing.reduce(Hashing.mix64(key, i), last + 1);
            for (int j = 0; j < i; j++) {
                if (drawn[j] == position) {
                    position = last;
                    break;
                }
            }
            drawn[i] = position;
            shards.neighbour(vertex, position, this::addSource);
        }
    }

    private void addSource(long vertex, int at) {
        if (at != rank) {
            bytes += Long.BYTES;
        }
        if (sourceCount == sources.length) {
            sources = Arrays.copyOf(sources, Math.multiplyExact(sourceCount, 2));
        }
        sources[sourceCount++] = number(vertex);
    }

    private int number(long vertex) {
        int number = numbers.find(vertex, vertices);
        if (number == SlotIndex.NO_SLOT) {
            if (vertexCount == vertices.length) {
                vertices = Arrays.copyOf(vertices, Math.multiplyExact(2, vertexCount));
                numbers.grow(vertices.length, vertexCount, vertices);
            }
            number = vertexCount++;
            vertices[number] = vertex;
            numbers.insert(vertex, number);
        }
        return number;
    }

    int vertexCount() {
        return vertexCount;
    }

    /** Returns the vertex with a number in the sample. */
    long vertex(int number) {
        return vertices[number];
    }

    /** Returns the vertices of the sample by number. */
    long[] vertices() {
        return Arrays.copyOf(vertices, vertexCount);
    }

    /** Returns the bytes asked of other shards, and returned by them, since the last call. */
    long takeBytes() {
        long taken = bytes;
        bytes = 0;
        return taken;
    }
}
