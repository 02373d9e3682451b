package io.cutwater.kafka.folder;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * All edges of a run with dense ids, for tools that number vertices from 0: the id of a vertex is its rank among the
 * signed vertex ids. Each vertex has an owner, as an edge partitioning has none: the shard that holds most of its edges
 * (a self-loop counts twice), of several such the smallest.
 *
 * <p>In bounded memory, about 100 MiB: the ends of the edges are sorted on disk twice, by vertex and back by place.
 * That takes 64 bytes of disk for each edge while it is made, 32 from then on.
 */
final class DenseGraph implements Closeable {
    private final PairSort idsByPlace;
    private final List<StagedShard> shards;
    private long vertexCount;

    /** Takes the vertices in the order of their dense ids. */
    interface VertexConsumer {
        void accept(long vertex, int owner) throws IOException;
    }

    /** Takes edges of dense ids. */
    interface EdgeConsumer {
        void accept(long source, long target) throws IOException;
    }

    /**
     * Numbers the vertices.
     *
     * @param scratch a folder for spill files
     * @param runPairs as {@link PairSort}'s
     */
    DenseGraph(List<StagedShard> shards, Path scratch, int runPairs, VertexConsumer vertices) throws IOException {
        this.shards = shards;
        idsByPlace = new PairSort(scratch.resolve("dense-ids.bin"), runPairs);
        boolean isReady = false;
        try (PairSort ends = new PairSort(scratch.resolve("edge-ends.bin"), runPairs)) {
            addEnds(ends);
            number(ends.sorted(), vertices);
            isReady = true;
        } finally {
            if (!isReady) {
                close();
            }
        }
    }

    /** Places count the ends of all edges, shard by shard: the source of the first edge has 0, its target 1. */
    private void addEnds(PairSort ends) throws IOException {
        long place = 0;
        for (StagedShard shard : shards) {
            try (EdgeFrames frames = new EdgeFrames(shard.file())) {
                while (frames.next()) {
                    for (int i = 0; i < frames.size(); i++) {
                        ends.add(frames.source(i), place++);
                        ends.add(frames.target(i), place++);
                    }
                }
            }
        }
    }

    private void number(SortedPairs ends, VertexConsumer vertices) throws IOException {
        long[] shardEnds = new long[shards.size()];
        long total = 0;
        for (int shard = 0; shard < shardEnds.length; shard++) {
            total += 2 * shards.get(shard).edges();
            shardEnds[shard] = total;
        }
        for (boolean isThere = ends.next(); isThere; ) {
            long vertex = ends.first();
            int owner = 0;
            int shard = 0;
            long mostEnds = 0;
            long endsInShard = 0;
            // Places ascend within a vertex, so its shards do.
            for (; isThere && ends.first() == vertex; isThere = ends.next()) {
                idsByPlace.add(ends.second(), vertexCount);
                if (ends.second() >= shardEnds[shard]) {
                    shard = shardOf(ends.second(), shardEnds);
                    endsInShard = 0;
                }
                if (++endsInShard > mostEnds) {
                    mostEnds = endsInShard;
                    owner = shard;
                }
            }
            vertices.accept(vertex, owner);
            vertexCount++;
        }
    }

    /** The first shard that ends behind the place; shards without edges end where the one before does. */
    private static int shardOf(long place, long[] shardEnds) {
        int low = 0;
        int high = shardEnds.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (shardEnds[middle] > place) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    long vertexCount() {
        return vertexCount;
    }

    /** The edges in order, shard by shard; several readers one after the other, or beside each other. */
    Edges edges() throws IOException {
        return new Edges(idsByPlace.sorted());
    }

    /** Where one reader is. */
    static final class Edges {
        private final SortedPairs ids;

        private Edges(SortedPairs ids) {
            this.ids = ids;
        }

        /** Hands over the next {@code count} edges. */
        void next(long count, EdgeConsumer edges) throws IOException {
            for (long i = 0; i < count; i++) {
                edges.accept(nextId(), nextId());
            }
        }

        private long nextId() throws IOException {
            if (!ids.next()) {
                throw new IOException("the spill file of the vertex ids ended early");
            }
            return ids.second();
        }
    }

    @Override
    public void close() throws IOException {
        idsByPlace.close();
    }
}
