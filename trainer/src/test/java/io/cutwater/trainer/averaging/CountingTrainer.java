package io.cutwater.trainer.averaging;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.ShardSize;
import io.cutwater.trainer.training.ShardTrainer;

/** A trainer that adds a number to its only weight with each mini-batch. */
class CountingTrainer implements ShardTrainer {
    private final int epochBatches;
    private final long examples;
    private final float step;

    CountingTrainer(int epochBatches, long examples, float step) {
        this.epochBatches = epochBatches;
        this.examples = examples;
        this.step = step;
    }

    @Override
    public LocalUpdate train(Round round, ModelState from, FrameChannel others) {
        int steps = Math.max(0, Math.min(round.batches(), epochBatches - round.firstBatch()));
        float[][] trained = {{from.weights()[0][0] + step * steps}};
        return new LocalUpdate(
                ModelState.initial(trained),
                steps > 0 ? examples : 0,
                epochBatches,
                EpochReport.nothing(),
                ShardSize.NOTHING);
    }

    @Override
    public AccuracyCounts evaluate(float[][] weights) {
        return new AccuracyCounts();
    }

    @Override
    public void close() {}
}
