package io.cutwater.trainer.averaging;

import io.cutwater.trainer.shard.Split;
import io.cutwater.trainer.training.Tally;

/**
 * The model that did best on the validation vertices so far; of equal ones that with the lower loss there. Without any
 * such vertices, the last one.
 *
 * @param epoch after which it was tested
 */
record BestModel(int epoch, float[][] weights, Tally tally) {
    boolean isBeatenBy(Tally other) {
        double accuracy = tally.accuracy(Split.VALIDATION);
        double others = other.accuracy(Split.VALIDATION);
        return Double.isNaN(others)
                || Double.isNaN(accuracy)
                || others > accuracy
                || (others == accuracy && other.loss(Split.VALIDATION) < tally.loss(Split.VALIDATION));
    }
}
