package io.cutwater.trainer.linked;

import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.sampler.SamplingOptions;
import java.util.function.IntConsumer;

/**
 * The neighbours and features of the vertices whose home a shard is. Known vertices have numbers, see
 * {@link LinkedShard}. Thread-safe.
 */
interface Home {
    /** Returns the number of vertices in the shard. */
    int vertexCount();

    /** Returns the id of a vertex in the graph. */
    long vertex(int local);

    Features features();

    /** Returns the address of a known vertex. */
    long address(int number);

    /** Returns the number of neighbours of a known vertex in the whole graph, without self-loops. */
    int degree(int number);

    /** Returns the number at a position of the list of all neighbours of a vertex whose home this is. */
    int neighbour(int local, int position);

    /** Returns the size of a sample. */
    static int sampleSize(int degree, int fanout) {
        return fanout == SamplingOptions.ALL ? degree : Math.min(degree, fanout);
    }

    /**
     * Samples neighbours of a vertex whose home this is, without replacement. The sample is a function of the draw and
     * the vertex; a vertex with no more neighbours than the fan-out gets all of them.
     *
     * @param drawn has room for a sample
     * @param numbers receives numbers of neighbours
     */
    default void sample(int local, int fanout, long draw, int[] drawn, IntConsumer numbers) {
        int total = degree(local);
        int count = sampleSize(total, fanout);
        if (count == total) {
            for (int position = 0; position < total; position++) {
                numbers.accept(neighbour(local, position));
            }
            return;
        }
        // Floyd's algorithm (Bentley and Floyd 1987): one hash per sampled neighbour.
        long key = Hashing.mix64(draw, vertex(local));
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
            numbers.accept(neighbour(local, position));
        }
    }
}
