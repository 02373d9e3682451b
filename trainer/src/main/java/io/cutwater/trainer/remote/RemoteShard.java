package io.cutwater.trainer.remote;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.linked.LinkedShard;
import io.cutwater.trainer.shard.LabelledShard;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.sync.LayerData;
import io.cutwater.trainer.sync.SyncOptions;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What a worker knows of a shard whose store is in a sampler: sizes, and class and split of own vertices. 5 bytes per
 * own vertex.
 */
final class RemoteShard implements LabelledShard {
    private final int shard;
    private final long neighbours;
    private final long bytesPerRow;
    private final int trained;
    private final int homes;
    private final int[] labels;
    private final byte[] splits;

    private RemoteShard(
            int shard, long neighbours, long bytesPerRow, int trained, int homes, int[] labels, byte[] splits) {
        this.shard = shard;
        this.neighbours = neighbours;
        this.bytesPerRow = bytesPerRow;
        this.trained = trained;
        this.homes = homes;
        this.labels = labels;
        this.splits = splits;
    }

    /** Writes what {@link #read} reads. */
    static ByteBuffer encode(LinkedShard linked, LayerData layers) {
        ShardStore store = linked.store();
        int owned = store.ownedCount();
        ByteBuffer out = BatchFormat.buffer(2L * Long.BYTES + 3L * Integer.BYTES + (Integer.BYTES + 1L) * owned);
        out.putLong(store.neighbourCount()).putLong(SyncOptions.bytesPerRow(store.features()));
        out.putInt(linked.slice().vertices().length);
        out.putInt(layers.count(false)).putInt(owned);
        for (int local = 0; local < owned; local++) {
            out.putInt(store.label(local));
        }
        for (int local = 0; local < owned; local++) {
            out.put((byte) store.split(local).ordinal());
        }
        return out.flip();
    }

    static RemoteShard read(int shard, ByteBuffer in) throws IOException {
        long neighbours = in.getLong();
        long bytesPerRow = Math.max(1, in.getLong());
        int trained = in.getInt();
        int homes = in.getInt();
        int[] labels = BatchFormat.ints(in, in.getInt());
        byte[] splits = new byte[labels.length];
        in.get(splits);
        for (byte split : splits) {
            if (split < 0 || split >= VertexSplit.values().length) {
                throw new IOException(
                        "a vertex of shard %d has the unknown split %d; run all processes with the same version"
                                .formatted(shard, split));
            }
        }
        return new RemoteShard(shard, neighbours, bytesPerRow, trained, homes, labels, splits);
    }

    @Override
    public int shard() {
        return shard;
    }

    @Override
    public int ownedCount() {
        return labels.length;
    }

    @Override
    public long neighbourCount() {
        return neighbours;
    }

    /** Returns the mean bytes of a row of features, at least 1. */
    long bytesPerRow() {
        return bytesPerRow;
    }

    /** Returns the number of training vertices of the shard's mini-batches. */
    int trained() {
        return trained;
    }

    /** Returns the number of vertices at home in the shard. */
    int homes() {
        return homes;
    }

    @Override
    public int label(int local) {
        return labels[local];
    }

    @Override
    public VertexSplit split(int local) {
        return SPLITS[splits[local]];
    }

    private static final VertexSplit[] SPLITS = VertexSplit.values();
}
