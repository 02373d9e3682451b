package io.cutwater.trainer.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The part of mini-batches that a shard had itself.
 *
 * @param seeds training vertices of mini-batches
 * @param localSeeds those that the shard of the mini-batch owns
 * @param rows inputs of mini-batches
 * @param localRows those that are in the shard, as own vertices, halo vertices or mirrors
 */
public record Locality(long seeds, long localSeeds, long rows, long localRows) {
    public static final Locality NONE = new Locality(0, 0, 0, 0);

    /** Writes four numbers of 8 bytes. */
    void write(DataOutput out) throws IOException {
        out.writeLong(seeds);
        out.writeLong(localSeeds);
        out.writeLong(rows);
        out.writeLong(localRows);
    }

    /** Reads what {@link #write} wrote. */
    static Locality read(DataInput in) throws IOException {
        return new Locality(in.readLong(), in.readLong(), in.readLong(), in.readLong());
    }

    /** Returns the sum. */
    public Locality plus(Locality other) {
        return new Locality(
                seeds + other.seeds, localSeeds + other.localSeeds, rows + other.rows, localRows + other.localRows);
    }

    /** Returns the share of local seeds, 0 to 1; NaN without seeds. */
    public double seedShare() {
        return (double) localSeeds / seeds;
    }

    /** Returns the share of local inputs, 0 to 1; NaN without inputs. */
    public double rowShare() {
        return (double) localRows / rows;
    }
}
