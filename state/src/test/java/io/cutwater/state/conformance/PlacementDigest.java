package io.cutwater.state.conformance;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.placement.PlacedEdges;
import io.cutwater.state.placement.ShardChange;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 over placed edges, changes of shards and the bytes of state, in the order in which they come. */
final class PlacementDigest implements PlacedEdges {
    private static final int FEW = 8; // longs of one call of add

    private final MessageDigest digest;
    private final ByteBuffer buffer = ByteBuffer.allocate(FEW * Long.BYTES);

    private final PartitioningKind kind;

    /** @param kind what the places are of: those of an edge partitioning are digested as the one partition */
    PlacementDigest(PartitioningKind kind) {
        this.kind = kind;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    void add(long... values) {
        for (long value : values) {
            digest.update(buffer.clear().putLong(value).flip());
        }
    }

    void add(byte[] bytes) {
        add(bytes.length);
        digest.update(bytes);
    }

    /** Every edge of a batch with its place. */
    void add(EdgeBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            int place = batch.place(i);
            boolean isShort = kind == PartitioningKind.EDGE && place >= 0;
            add(batch.source(i), batch.target(i), batch.timestamp(i), isShort ? Place.ofSource(place) : place);
        }
    }

    @Override
    public void placed(long source, long target, double weight, long timestamp, long key, int place) {
        add(source, target, timestamp, Place.ofSource(place));
        if (Place.ofTarget(place) != Place.ofSource(place)) {
            add(source, target, timestamp, Place.ofTarget(place));
        }
    }

    @Override
    public void changed(
            ShardChange change,
            long source,
            long target,
            double weight,
            long timestamp,
            long key,
            int shard,
            int place) {
        int owners = kind == PartitioningKind.EDGE ? EdgeBatch.NO_PLACE : place;
        add(change.ordinal(), source, target, timestamp, shard, owners);
    }

    String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
