package io.cutwater.trainer.launch;

import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.mapped.MappedFolder;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a training needs.
 *
 * @param shape what is given of the one that the model is to have
 * @param scratch an existing folder for a folder of mapped files
 * @param out a folder for checkpoints and the best model so far; null for neither
 * @param resumes whether to go on from a checkpoint in {@code out}, if there is one
 */
public record TrainingRequest(
        GraphOrigin graph,
        FeatureScaling scaling,
        ShapeOptions shape,
        TrainerOptions training,
        AveragingOptions averaging,
        Path scratch,
        @Nullable Path out,
        boolean resumes) {
    public TrainingRequest {
        if (averaging.refresh().follows() && !graph.grows()) {
            throw new IllegalArgumentException("--follow is for a graph that grows; give --topic shards, too");
        }
        if (graph instanceof GraphOrigin.Topic topic && topic.vertices() == null && scaling == FeatureScaling.COLUMN) {
            throw new IllegalArgumentException(
                    "--feature-scaling column would change with each vertex that comes; use row or none with a topic, or give all features with --features FILE");
        }
    }

    /** Opens the shards; the caller closes them, and then removes the folder. */
    ShardSource open(MappedFolder folder) throws IOException {
        return graph.open(scaling, shape, folder.path());
    }

    /** What the model must fit: the vertices as they are now, and room for more classes where it is asked for. */
    DataShape shape(ShardSource source) throws IOException, InterruptedException {
        DataShape now = source.shape();
        return shape.classes() == 0 ? now : new DataShape(now.features(), shape.classes());
    }

    /** All that the numbers depend on beside the cuts, in words. */
    String words(ShardSource source, DataShape shape) throws IOException, InterruptedException {
        return "%s, features %s, %d of them, %d classes, %s"
                .formatted(training.words(), scaling, shape.features(), shape.classes(), graph.words(source));
    }

    /** The weights to begin with. */
    float[][] initialWeights(DataShape shape) {
        return new GnnNetwork(training.model(), shape.features(), shape.classes())
                .initialWeights(training.randomSeed());
    }

    /** Where checkpoints go; null for nowhere. */
    @Nullable CheckpointFile checkpoints() throws IOException {
        return out == null ? null : new CheckpointFile(Files.createDirectories(out));
    }

    /** Keeps each model that is better than the one before, and tells another listener of everything. */
    RoundListener keeping(DataShape shape, RoundListener listener) {
        Path folder = out;
        if (folder == null) {
            return listener;
        }
        ModelKeeper keeper = new ModelKeeper(training.model(), shape, scaling, folder);
        return RoundListener.all(List.of(keeper, listener));
    }
}
