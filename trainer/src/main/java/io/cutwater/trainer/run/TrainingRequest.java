package io.cutwater.trainer.run;

import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.shard.FeatureScaling;
import io.cutwater.trainer.training.TrainingOptions;
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
        boolean resumes) {}
