package io.cutwater.format.table;

import io.cutwater.format.binary.PairSort;
import io.cutwater.format.binary.SortedPairs;
import io.cutwater.state.graph.OwnerPair;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * All edges of a run, each once, with dense ids, for tools that number vertices from 0: the id of a vertex is its rank
 * among the signed vertex ids. Each vertex has an owner; an edge partitioning has none, so there it is the shard that
 * holds most of its edges (a self-loop counts twice), of several such the smallest.
 *
 * <p>In bounded memory, about 100 MiB: the ends of the edges are sorted on disk twice, by vertex and back by place.
 * That takes 64 bytes of disk for each edge while it is made, 32 from then on.
 */
public final class DenseGraph implements Closeable {
    private static final int OWNER_BITS = 12;

    private final PairSort idsByPlace;
    private final List<StagedShard> shards;
    private long vertexCount;

    /** Takes the vertices in the order of their dense ids. */
    public interface VertexConsumer {
        void accept(long vertex, int owner) throws IOException;
    }

    /** Takes edges of dense ids. */
    public interface EdgeConsumer {
        void accept(long source, long target) throws IOException;
    }

    /**
     * Numbers the vertices.
     *
     * @param scratch a folder for spill files
     * @param runPairs as {@link PairSort}'s
     */
    public DenseGraph(List<StagedShard> shards, Path scratch, int runPairs, VertexConsumer vertices)
            throws IOException {
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

    /**
     * Places count the ends of all edges, shard by shard: the source of the first edge has 0, its target 1. With a
     * place goes the owner of the end or, in an edge partitioning, the shard.
     */
    private void addEnds(PairSort ends) throws IOException {
        long place = 0;
        for (StagedShard shard : shards) {
            try (EdgeFrames frames = new EdgeFrames(shard.file())) {
                while (frames.next()) {
                    boolean hasOwners = (frames.flags() & EdgeFrames.OWNERS) != 0;
                    for (int i = 0; i < frames.size(); i++) {
                        if (!frames.isSecond(shard.shard(), i)) {
                            int ofTarget = hasOwners ? OwnerPair.ofTarget(frames.owners(i)) : shard.shard();
                            ends.add(frames.source(i), place++ << OWNER_BITS | shard.shard());
                            ends.add(frames.target(i), place++ << OWNER_BITS | ofTarget);
                        }
                    }
                }
            }
        }
    }

    private void number(SortedPairs ends, VertexConsumer vertices) throws IOException {
        for (boolean isThere = ends.next(); isThere; ) {
            long vertex = ends.first();
            int owner = 0;
            int shard = -1;
            long mostEnds = 0;
            long endsInShard = 0;
            // Places ascend within a vertex, so its shards do; owners are all the same.
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

    /** The edges in order, shard by shard; several readers one after the other, or beside each other. */
    public Edges edges() throws IOException {
        return new Edges(idsByPlace.sorted());
    }

    /** Where one reader is. */
    public static final class Edges {
        private final SortedPairs ids;

        private Edges(SortedPairs ids) {
            this.ids = ids;
        }

        /** Hands over the next {@code count} edges. */
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
