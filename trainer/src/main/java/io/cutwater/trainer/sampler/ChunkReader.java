package io.cutwater.trainer.sampler;

import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.shard.ShardStore;
import java.util.SplittableRandom;

/**
 * Divides a shard into chunks of vertices whose neighbourhoods fit memory, so that a layer can be computed for all
 * vertices, one chunk after the other. Used by one thread, for one chunk at a time.
 */
public final class ChunkReader {
    /** Maximum number of edges of a chunk; a vertex with more edges is a chunk of its own. */
    private static final int MAX_EDGES = 1 << 19;
    /** Maximum number of values in the rows of a chunk: 128 MiB, or twice that with the columns of sparse rows. */
    private static final int MAX_NUMBERS = 1 << 25;

    /** Maximum number of feature values of a shard that is kept in memory: 64 MiB, or twice that if they are sparse. */
    private static final int MAX_KEPT_NUMBERS = 1 << 24;

    private final ShardStore store;
    private final NeighbourSampler neighbours;
    private final BufferPool buffers = new BufferPool();
    private final RowGatherer rows = new RowGatherer(buffers, false);
    private final RowGatherer features;
    private final SplittableRandom unused = new SplittableRandom(0);

    public ChunkReader(ShardStore store) {
        this(store, false);
    }

    /** @param selects whether chunks name the rows of the shard's features, see {@link InputRows.Selected} */
    public ChunkReader(ShardStore store, boolean selects) {
        this.store = store;
        features = new RowGatherer(buffers, selects);
        neighbours = new NeighbourSampler(store);
    }

    /** Returns whether a shard has vertices, and is small enough to keep all of it in memory, as one chunk. */
    public static boolean canKeep(ShardStore store) {
        return store.vertexCount() > 0
                && store.neighbourCount() + store.vertexCount() < MAX_EDGES
                && (long) store.vertexCount() * store.features().numbersPerRow() <= MAX_KEPT_NUMBERS;
    }

    /**
     * Returns the chunk that begins at a vertex.
     *
     * @param end local number after the last requested vertex, above {@code from}
     * @param inputs one row per vertex of the shard
     */
    public Chunk read(int from, int end, Features inputs) {
        int maxRows = MAX_NUMBERS / inputs.numbersPerRow();
        // The number of rows is limited by the number of vertices, whatever the number of edges.
        long maxEdges = store.vertexCount() <= maxRows ? MAX_EDGES : Math.min(MAX_EDGES, maxRows);
        int to = from + 1;
        while (to < end && store.begin(to + 1) - store.begin(from) + to - from < maxEdges) {
            to++;
        }
        int[] targets = new int[to - from];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = from + i;
        }
        neighbours.begin(targets, 0, targets.length);
        Hop hop = neighbours.hop(SamplingOptions.ALL, unused);
        RowGatherer gatherer = inputs == store.features() ? features : rows;
        return new Chunk(from, hop, gatherer.gather(inputs, neighbours));
    }

    /** Takes back a chunk that is no longer read. */
    public void giveBack(Chunk chunk) {
        if (chunk.inputs() instanceof InputRows.Dense dense) {
            buffers.giveBack(dense.values());
        }
    }
}
