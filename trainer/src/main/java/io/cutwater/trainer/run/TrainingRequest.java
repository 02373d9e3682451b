package io.cutwater.trainer.run;

import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.CheckpointFile;
import io.cutwater.trainer.averaging.TrainingResult;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.shard.FeatureScaling;
import io.cutwater.trainer.shard.VertexData;
import io.cutwater.trainer.training.TrainingOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * All that a training needs.
 *
 * @param scratch an existing folder for a folder of mapped files
 * @param out a folder for checkpoints and the model; null for neither
 * @param resumes whether to go on from a checkpoint in {@code out}, if there is one
 */
public record TrainingRequest(
        GraphFiles graph,
        FeatureScaling scaling,
        TrainingOptions training,
        AveragingOptions averaging,
        Path scratch,
        @Nullable Path out,
        boolean resumes) {
    /** All that the numbers depend on, in words. */
    String words(int shards) {
        return "%s, features %s, %d shards".formatted(training.words(), scaling, shards);
    }

    GnnNetwork network(VertexData data) {
        return new GnnNetwork(training.model(), data.columns(), data.classCount());
    }

    /** Where checkpoints go; null for nowhere. */
    @Nullable CheckpointFile checkpoints() throws IOException {
        return out == null ? null : new CheckpointFile(Files.createDirectories(out));
    }

    void writeModel(VertexData data, TrainingResult result) throws IOException {
        if (out != null) {
            ModelFile.write(
                    new TrainedModel(training.model(), data.columns(), data.classCount(), scaling, result.weights()),
                    out);
        }
    }
}
