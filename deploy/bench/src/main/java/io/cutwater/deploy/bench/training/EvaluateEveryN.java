package io.cutwater.deploy.bench.training;

import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.training.ShardTrainer;
import java.io.IOException;

/**
 * A shard that is tested only after every few epochs, because testing is half of the work; in between it repeats the
 * last result, which makes no model better than the best one.
 */
final class EvaluateEveryN implements ShardTrainer {
    private final ShardTrainer trainer;
    private final int every;
    private AccuracyCounts last = new AccuracyCounts();
    private int asked;

    EvaluateEveryN(ShardTrainer trainer, int every) {
        this.trainer = trainer;
        this.every = every;
    }

    @Override
    public LocalUpdate train(Round round, ModelState from) throws InterruptedException {
        return trainer.train(round, from);
    }

    @Override
    public AccuracyCounts evaluate(float[][] weights) throws IOException {
        if (asked++ % every == 0) {
            last = trainer.evaluate(weights);
        }
        return last;
    }

    @Override
    public void close() {
        trainer.close();
    }
}
