package io.cutwater.trainer.sampler;

import io.cutwater.trainer.shard.ShardStore;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Samples neighbours without replacement. A vertex with no more neighbours than the fan-out gets all of them, in the
 * order of the store. Used by one thread; 4 bytes per vertex of the shard.
 */
final class NeighbourSampler {
    private final ShardStore store;
    private final int[] numbers; // of a vertex within the hop, + 1; 0 = not in it
    private int[] vertices = new int[1024]; // of the hop, by number
    private int vertexCount;
    private int[] sources = new int[4096];
    private int sourceCount;
    private long[] drawn = new long[32];

    NeighbourSampler(ShardStore store) {
        this.store = store;
        numbers = new int[store.vertexCount()];
    }

    /** Begins with distinct targets. */
    void begin(int[] targets, int from, int to) {
        for (int number = 0; number < vertexCount; number++) {
            numbers[vertices[number]] = 0;
        }
        vertexCount = 0;
        for (int i = from; i < to; i++) {
            number(targets[i]);
        }
    }

    /** Creates a hop to the current vertices; its sources become the current vertices. */
    Hop hop(int fanout, SplittableRandom random) {
        int targetCount = vertexCount;
        int[] offsets = new int[targetCount + 1];
        int[] listed = new int[targetCount];
        sourceCount = 0;
        for (int target = 0; target < targetCount; target++) {
            int vertex = vertices[target];
            long begin = store.begin(vertex);
            long end = store.begin(vertex + 1);
            listed[target] = (int) Math.min(Integer.MAX_VALUE, end - begin);
            if (fanout == SamplingOptions.ALL || end - begin <= fanout) {
                for (long at = begin; at < end; at++) {
                    addSource(store.neighbour(at));
                }
            } else {
                draw(begin, end, fanout, random);
            }
            offsets[target + 1] = sourceCount;
        }
        int[] degrees = new int[vertexCount];
        for (int source = 0; source < vertexCount; source++) {
            degrees[source] = store.degree(vertices[source]);
        }
        return new Hop(targetCount, offsets, Arrays.copyOf(sources, sourceCount), listed, degrees);
    }

    /** Samples with Floyd's algorithm (Bentley and Floyd 1987): one random number per sampled neighbour. */
    private void draw(long begin, long end, int count, SplittableRandom random) {
        if (drawn.length < count) {
            drawn = new long[count];
        }
        for (int i = 0; i < count; i++) {
            long last = end - count + i;
            long at = random.nextLong(begin, last + 1);
            for (int j = 0; j < i; j++) {
                if (drawn[j] == at) {
                    at = last;
                    break;
                }
            }
            drawn[i] = at;
            addSource(store.neighbour(at));
        }
    }

    private void addSource(int vertex) {
        if (sourceCount == sources.length) {
            sources = Arrays.copyOf(sources, Math.multiplyExact(sourceCount, 2));
        }
        sources[sourceCount++] = number(vertex);
    }

    private int number(int vertex) {
        int number = numbers[vertex];
        if (number == 0) {
            if (vertexCount == vertices.length) {
                vertices = Arrays.copyOf(vertices, 2 * vertexCount);
            }
            vertices[vertexCount] = vertex;
            number = ++vertexCount;
            numbers[vertex] = number;
        }
        return number - 1;
    }

    int vertexCount() {
        return vertexCount;
    }

    /** Returns the local vertex with a number in the sample. */
    int vertex(int number) {
        return vertices[number];
    }
}
