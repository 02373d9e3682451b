package io.cutwater.trainer.shard;

import io.cutwater.state.graph.Hashing;
import io.cutwater.state.table.VertexLayout;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of a graph that a round trains on. A cut always gives the same shards, on any machine.
 *
 * @param shards number of shards, at least 1
 * @param shardOffsets end offset of each partition of topic {@code shards}, exclusive; empty for shards that do not
 *     change
 * @param bookOffsets end offset of each partition of topic {@code partition-book}
 */
public record ShardCut(int shards, List<Long> shardOffsets, List<Long> bookOffsets) {
    public ShardCut {
        if (shards < 1) {
            throw new IllegalArgumentException("there must be at least 1 shard: " + shards);
        }
        shardOffsets = List.copyOf(shardOffsets);
        bookOffsets = List.copyOf(bookOffsets);
    }

    /** Returns the only cut of shards that do not change. */
    public static ShardCut only(int shards) {
        return new ShardCut(shards, List.of(), List.of());
    }

    /** Returns 64 bits that differ between cuts. */
    public long fingerprint() {
        long hash = Hashing.mix64(shards, shardOffsets.size());
        for (long offset : shardOffsets) {
            hash = Hashing.mix64(hash, offset);
        }
        for (long offset : bookOffsets) {
            hash = Hashing.mix64(hash, offset);
        }
        return hash;
    }

    /**
     * Writes the number of shards (4 bytes), and for each of the two topics the number of offsets (4) and the offsets
     * (8 each).
     */
    public void write(DataOutput out) throws IOException {
        out.writeInt(shards);
        writeOffsets(shardOffsets, out);
        writeOffsets(bookOffsets, out);
    }

    private static void writeOffsets(List<Long> offsets, DataOutput out) throws IOException {
        out.writeInt(offsets.size());
        for (long offset : offsets) {
            out.writeLong(offset);
        }
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException if a number is out of range
     */
    public static ShardCut read(DataInput in) throws IOException {
        int shards = in.readInt();
        if (shards < 1 || shards > VertexLayout.MAX_PARTITIONS) {
            throw new IOException(
                    "a cut cannot have %d shards; the range is 1 to %d".formatted(shards, VertexLayout.MAX_PARTITIONS));
        }
        return new ShardCut(shards, readOffsets(in), readOffsets(in));
    }

    private static List<Long> readOffsets(DataInput in) throws IOException {
        List<Long> offsets = new ArrayList<>();
        int count = in.readInt();
        if (count < 0) {
            throw new IOException("a cut cannot have %d offsets".formatted(count));
        }
        for (int left = count; left > 0; left--) {
            long offset = in.readLong();
            if (offset < 0) {
                throw new IOException("an offset of a cut cannot be negative: " + offset);
            }
            offsets.add(offset);
        }
        return offsets;
    }
}
