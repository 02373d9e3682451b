package io.cutwater.trainer.averaging;

import io.cutwater.kafka.record.VertexSplit;
import io.cutwater.trainer.training.Tally;

/**
 * The model that did best on the validation vertices so far; of equal ones that with the lower loss there. Without any
 * such vertices, the last one.
 *
 * @param epoch after which it was tested
 */
record BestModel(int epoch, float[][] weights, Tally tally) {
    boolean isBeatenBy(Tally other) {
        double accuracy = tally.accuracy(VertexSplit.VAL);
        double others = other.accuracy(VertexSplit.VAL);
        return Double.isNaN(others)
                || Double.isNaN(accuracy)
                || others > accuracy
                || (others == accuracy && other.loss(VertexSplit.VAL) < tally.loss(VertexSplit.VAL));
    }
}
