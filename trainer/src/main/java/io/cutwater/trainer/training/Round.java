package io.cutwater.trainer.training;

import io.cutwater.trainer.shard.ShardCut;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What is asked of every shard between two averages.
 *
 * @param number from 1
 * @param cut the shards that it is about
 * @param firstEpoch number of its first epoch, from 0: with the seed it decides what is drawn
 * @param epochs at least 1
 */
public record Round(int number, ShardCut cut, int firstEpoch, int epochs) {
    /** Writes the number (4 bytes), the cut, the first epoch (4) and the epochs (4). */
    public void write(DataOutput out) throws IOException {
        out.writeInt(number);
        cut.write(out);
        out.writeInt(firstEpoch);
        out.writeInt(epochs);
    }

    /** Reads what {@link #write} wrote. */
    public static Round read(DataInput in) throws IOException {
        return new Round(in.readInt(), ShardCut.read(in), in.readInt(), in.readInt());
    }
}
