package io.cutwater.trainer.launch;

import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.output.ModelFile;
import io.cutwater.trainer.output.TrainedModel;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.shard.DataShape;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes the best model so far.
 *
 * @param isOfWholeGraph whether shards read neighbours of each other
 * @param folder existing folder
 */
record ModelKeeper(ModelOptions options, DataShape shape, FeatureScaling scaling, boolean isOfWholeGraph, Path folder)
        implements RoundListener {
    @Override
    public void modelFound(float[][] weights) throws IOException {
        ModelFile.write(
                new TrainedModel(options, shape.features(), shape.classes(), scaling, isOfWholeGraph, weights), folder);
    }

    @Override
    public void roundDone(RoundReport report) {}

    @Override
    public void shardMissing(int round, int shard, String sentence) {}
}
