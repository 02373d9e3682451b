package io.cutwater.format.table;

import io.cutwater.format.binary.ExternalSort;
import io.cutwater.format.binary.SortedRows;
import io.cutwater.state.graph.Place;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The edges of a run, or of one of its shards, with dense ids, for tools that number vertices from 0: a vertex's id is
 * its rank among the signed vertex ids. Each vertex has an owner. An edge partitioning has no owners; there the owner
 * is the shard that holds most of the vertex's edges (a self-loop counts twice), the smallest shard of several.
 *
 * <p>It uses bounded memory, about 100 MiB: the endpoints are sorted on disk twice, by vertex and back by place. This
 * takes 64 bytes of disk per edge during construction and 32 afterwards.
 */
public final class DenseGraph implements Closeable {
    private static final int OWNER_BITS = 12;

    private final ExternalSort idsByPlace;
    private final List<StagedShard> shards;
    private final boolean isEach;
    private long vertexCount;

    /** Receives the vertices in the order of their dense ids. */
    public interface VertexConsumer {
        void accept(long vertex, int owner) throws IOException;
    }

    /** Receives edges with dense ids. */
    public interface EdgeConsumer {
        void accept(long source, long target) throws IOException;
    }

    /**
     * Numbers the vertices.
     *
     * @param isEach whether all edges of the shards are taken; otherwise only the first of two copies
     * @param scratch a folder for spill files
     * @param runPairs the number of pairs sorted at once, see {@link ExternalSort}
     */
    public DenseGraph(List<StagedShard> shards, boolean isEach, Path scratch, int runPairs, VertexConsumer vertices)
            throws IOException {
        this.shards = shards;
        this.isEach = isEach;
        idsByPlace = ExternalSort.ofPairs(scratch.resolve("dense-ids.bin"), runPairs);
        boolean isReady = false;
        try (ExternalSort ends = ExternalSort.ofPairs(scratch.resolve("edge-ends.bin"), runPairs)) {
            addEnds(ends);
            number(ends.sorted(), vertices);
            isReady = true;
        } finally {
            if (!isReady) {
                close();
            }
        }
    }

    /**
     * Adds the endpoints of all edges. Their places count shard by shard: the source of the first edge has 0, its
     * target 1. Each place comes with the owner of the endpoint or, in an edge partitioning, with the shard.
     */
    private void addEnds(ExternalSort ends) throws IOException {
        long place = 0;
        for (StagedShard shard : shards) {
            try (EdgeFrames frames = new EdgeFrames(shard.file())) {
                while (frames.next()) {
                    boolean hasOwners = (frames.flags() & EdgeFrames.OWNERS) != 0;
                    for (int i = 0; i < frames.size(); i++) {
                        if (isEach || !frames.isSecond(shard.shard(), i)) {
                            int ofTarget = hasOwners ? Place.ofTarget(frames.owners(i)) : shard.shard();
                            ends.add(frames.source(i), place++ << OWNER_BITS | shard.shard());
                            ends.add(frames.target(i), place++ << OWNER_BITS | ofTarget);
                        }
                    }
                }
            }
        }
    }

    private void number(SortedRows ends, VertexConsumer vertices) throws IOException {
        for (boolean isThere = ends.next(); isThere; ) {
            long vertex = ends.first();
            int owner = 0;
            int shard = -1;
            long mostEnds = 0;
            long endsInShard = 0;
            // Places ascend within a vertex, and so do its shards; owners are all equal.
            for (; isThere && ends.first() == vertex; isThere = ends.next()) {
                idsByPlace.add(ends.second() >>> OWNER_BITS, vertexCount);
                int shardOfEnd = (int) ends.second() & (1 << OWNER_BITS) - 1;
                endsInShard = shardOfEnd == shard ? endsInShard + 1 : 1;
                shard = shardOfEnd;
                if (endsInShard > mostEnds) {
                    mostEnds = endsInShard;
                    owner = shard;
                }
            }
            vertices.accept(vertex, owner);
            vertexCount++;
        }
    }

    public long vertexCount() {
        return vertexCount;
    }

    /** Returns the edges in order, shard by shard. Several readers may be used one after the other or concurrently. */
    public Edges edges() throws IOException {
        return new Edges(idsByPlace.sorted());
    }

    /** The position of one reader. */
    public static final class Edges {
        private final SortedRows ids;

        private Edges(SortedRows ids) {
            this.ids = ids;
        }

        /** Passes the next {@code count} edges to the consumer. */
        public void next(long count, EdgeConsumer edges) throws IOException {
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
