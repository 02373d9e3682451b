package io.cutwater.trainer.round;

import io.cutwater.trainer.shard.ShardCut;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * A request to every shard between two averages: whole epochs, or some mini-batches of one epoch.
 *
 * @param number number of the round, from 1
 * @param cut cut of the shards
 * @param firstEpoch number of the first epoch, from 0; it determines the random draws together with the seed
 * @param epochs number of epochs, at least 1; 1 for mini-batches
 * @param firstBatch number of the first mini-batch in the epoch, from 0
 * @param batches maximum number of mini-batches per shard; {@link #WHOLE} for whole epochs
 * @param sharesSteps whether all shards work at the same time, and take each step together
 */
public record Round(
        int number, ShardCut cut, int firstEpoch, int epochs, int firstBatch, int batches, boolean sharesSteps) {
    /** Number of mini-batches of a round of whole epochs. */
    public static final int WHOLE = 0;

    /** Creates a round of whole epochs. */
    public Round(int number, ShardCut cut, int firstEpoch, int epochs) {
        this(number, cut, firstEpoch, epochs, 0, WHOLE, false);
    }

    /**
     * Creates a round of whole epochs.
     *
     * @param needsAllShards whether all shards train it together
     */
    public static Round ofEpochs(int number, ShardCut cut, int firstEpoch, int epochs, boolean needsAllShards) {
        return new Round(number, cut, firstEpoch, epochs, 0, WHOLE, needsAllShards);
    }

    /** Creates a round of some mini-batches of one epoch. */
    public static Round ofBatches(int number, ShardCut cut, int epoch, int firstBatch, int batches) {
        return new Round(number, cut, epoch, 1, firstBatch, batches, false);
    }

    /** Creates a round of one epoch whose steps all shards take together. */
    public static Round ofSharedSteps(int number, ShardCut cut, int epoch) {
        return new Round(number, cut, epoch, 1, 0, WHOLE, true);
    }

    public boolean isOfWholeEpochs() {
        return batches == WHOLE;
    }

    /**
     * Writes the number (4 bytes), the cut, the first epoch (4), the epochs (4), the first mini-batch (4), the
     * mini-batches (4), and 1 byte: 1 for shared steps, otherwise 0.
     */
    public void write(DataOutput out) throws IOException {
        out.writeInt(number);
        cut.write(out);
        out.writeInt(firstEpoch);
        out.writeInt(epochs);
        out.writeInt(firstBatch);
        out.writeInt(batches);
        out.writeBoolean(sharesSteps);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException if a number is out of range
     */
    public static Round read(DataInput in) throws IOException {
        Round round = new Round(
                in.readInt(),
                ShardCut.read(in),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readBoolean());
        if (round.firstEpoch < 0 || round.epochs < 1 || round.firstBatch < 0 || round.batches < 0) {
            throw new IOException("a round cannot have these epochs and mini-batches: " + round);
        }
        return round;
    }
}
