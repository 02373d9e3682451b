package io.cutwater.trainer.linked;

import io.cutwater.state.graph.Hashing;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Checks that no vertex has two owners; each vertex is checked by the shard that its hash names. */
final class OneOwner {
    private OneOwner() {}

    /**
     * Checks the vertices of all shards together with them.
     *
     * @throws IOException if two shards own a vertex; the message is meant for users
     */
    static void require(LinkExchange exchange, ShardStore store) throws IOException, InterruptedException {
        int shards = exchange.channel().size();
        int[] counts = new int[shards];
        for (int local = 0; local < store.ownedCount(); local++) {
            counts[checker(store.vertex(local), shards)]++;
        }
        ByteBuffer[] claims = exchange.all(to -> {
            ByteBuffer ids = LinkExchange.buffer((long) counts[to] * Long.BYTES);
            for (int local = 0; local < store.ownedCount(); local++) {
                if (checker(store.vertex(local), shards) == to) {
                    ids.putLong(store.vertex(local));
                }
            }
            return ids.flip();
        });
        int count = 0;
        for (ByteBuffer each : claims) {
            count = Math.addExact(count, each.remaining() / Long.BYTES);
        }
        long[] all = new long[count];
        int at = 0;
        for (ByteBuffer each : claims) {
            int size = each.remaining() / Long.BYTES;
            each.asLongBuffer().get(all, at, size);
            at += size;
        }
        Arrays.sort(all);
        for (int i = 1; i < count; i++) {
            if (all[i] == all[i - 1]) {
                throw new IOException("two shards both own vertex %d; partition the graph again".formatted(all[i]));
            }
        }
    }

    private static int checker(long vertex, int shards) {
        return Hashing.reduce(Hashing.mix64(vertex), shards);
    }
}
