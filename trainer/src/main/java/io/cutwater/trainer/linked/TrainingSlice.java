package io.cutwater.trainer.linked;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The training vertices of a shard's mini-batches.
 *
 * @param vertices addresses
 * @param degrees numbers of neighbours in the whole graph
 * @param labels classes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TrainingSlice(long[] vertices, int[] degrees, int[] labels) {
    private static final int BYTES = 3 * Integer.BYTES;

    /**
     * Returns an equal part, up to 1 vertex, of all training vertices. As many as possible are the shard's own; what
     * others have too many follows, in the order of the shards.
     *
     * @param trained number of training vertices by shard
     * @param degrees numbers of neighbours by local number
     */
    static TrainingSlice deal(LinkExchange exchange, ShardStore store, long[] trained, int[] degrees)
            throws IOException, InterruptedException {
        int rank = store.shard();
        int[] own = store.verticesOf(VertexSplit.TRAIN);
        ByteBuffer[] given = exchange.all(to -> {
            long first = sum(trained, rank, 1);
            long from = Math.max(first, sum(trained, to, -1));
            long end = Math.min(sum(trained, rank + 1, 1), sum(trained, to + 1, -1));
            ByteBuffer vertices = LinkExchange.buffer(Math.max(0, end - from) * BYTES);
            for (long at = from; at < end; at++) {
                int local = own[quota(trained, rank) + (int) (at - first)];
                vertices.putInt(local).putInt(degrees[local]).putInt(store.label(local));
            }
            return vertices.flip();
        });
        int size = quota(trained, rank);
        TrainingSlice slice = new TrainingSlice(new long[size], new int[size], new int[size]);
        int count = Math.min(size, own.length);
        for (int i = 0; i < count; i++) {
            slice.set(i, Address.of(rank, own[i]), degrees[own[i]], store.label(own[i]));
        }
        for (int giver = 0; giver < given.length; giver++) {
            for (ByteBuffer from = given[giver]; from.remaining() >= BYTES; count++) {
                slice.set(count, Address.of(giver, from.getInt()), from.getInt(), from.getInt());
            }
        }
        return slice;
    }

    private void set(int at, long vertex, int degree, int label) {
        vertices[at] = vertex;
        degrees[at] = degree;
        labels[at] = label;
    }

    /** Returns how many training vertices the shards before one have too many (sign 1), or too few (-1). */
    private static long sum(long[] trained, int shard, int sign) {
        long sum = 0;
        for (int each = 0; each < shard; each++) {
            sum += Math.max(0, sign * (trained[each] - quota(trained, each)));
        }
        return sum;
    }

    private static int quota(long[] trained, int shard) {
        long all = Arrays.stream(trained).sum();
        return Math.toIntExact(all * (shard + 1) / trained.length - all * shard / trained.length);
    }
}
