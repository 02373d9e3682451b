package io.cutwater.trainer.launch;

import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.exchange.Staleness;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.fullgraph.FullGraphTrainers;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.EmbeddingFiles;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.sync.SyncTrainers;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a training.
 *
 * @param shape the part of the model's shape that the user chose
 * @param mode how shards work together
 * @param scratch existing folder for temporary files
 * @param out folder for checkpoints and the best model; null for neither
 * @param resumes whether to resume from a checkpoint in {@code out}, if there is one
 */
public record TrainingRequest(
        GraphOrigin graph,
        FeatureScaling scaling,
        ShapeOptions shape,
        TrainerOptions training,
        AveragingOptions averaging,
        TrainingMode mode,
        Path scratch,
        @Nullable Path out,
        boolean resumes) {
    public TrainingRequest {
        if (mode instanceof TrainingMode.FullGraph full) {
            full.options().requireSupported(training.model());
            if (!training.device().equals("cpu")) {
                throw new IllegalArgumentException("--mode full-graph runs on the CPU; leave out --device");
            }
            if (averaging.averageEvery().unit() != AverageEvery.Unit.EPOCHS) {
                throw new IllegalArgumentException(
                        "--mode full-graph has one step per epoch; give --average-every in epochs");
            }
            if (full.options().staleness().kind() != Staleness.Kind.NONE
                    && averaging.averageEvery().count() == 1) {
                throw new IllegalArgumentException(
                        "--staleness %s saves nothing with --average-every 1, because the first epoch of a round sends all rows; give 2 or more"
                                .formatted(full.options().staleness()));
            }
        }
        if (mode instanceof TrainingMode.Sync && !averaging.averageEvery().isOfGradients()) {
            throw new IllegalArgumentException(
                    "--mode sync averages gradients in each step; leave out --average-every");
        }
        if (averaging.refresh().follows() && !graph.grows()) {
            throw new IllegalArgumentException("--follow is for a graph that grows; give --topic shards, too");
        }
        if (graph instanceof GraphOrigin.Topic topic && topic.vertices() == null && scaling == FeatureScaling.COLUMN) {
            throw new IllegalArgumentException(
                    "--feature-scaling column would change with every new vertex; use row or none with a topic, or give all features with --features FILE");
        }
    }

    /** Opens the shards. The caller closes them and deletes the folder after that. */
    ShardSource open(TemporaryFolder folder) throws IOException {
        return graph.open(scaling, shape, folder.path());
    }

    /**
     * Returns the shape of the model: that of the current vertices, with the number of classes that the user chose.
     *
     * @throws IOException if the mode cannot use these shards; the message is meant for users
     */
    DataShape shape(ShardSource source) throws IOException, InterruptedException {
        if (mode instanceof TrainingMode.FullGraph full) {
            full.options().requireShards(training.model(), source.kind());
        }
        DataShape now = source.shape();
        return shape.classes() == 0 ? now : new DataShape(now.features(), shape.classes());
    }

    /** Returns a description of everything besides the cuts that the result depends on. */
    String words(ShardSource source, DataShape shape) throws IOException, InterruptedException {
        return "%s, features %s, %d of them, %d classes, %s%s"
                .formatted(
                        training.words(),
                        scaling,
                        shape.features(),
                        shape.classes(),
                        graph.words(source),
                        mode == TrainingMode.LOCAL ? "" : ", " + mode.words());
    }

    /**
     * Returns a description for the processes of a training. Workers that expect samplers cannot work without, and the
     * result does not depend on them.
     */
    String words(ShardSource source, DataShape shape, boolean hasSamplers) throws IOException, InterruptedException {
        return words(source, shape) + graph.identity() + (hasSamplers ? ", mini-batches of samplers" : "");
    }

    /** Returns the number of samplers to wait for; 0 if workers make their mini-batches. */
    int samplers() {
        return mode instanceof TrainingMode.Sync sync ? sync.options().samplers() : 0;
    }

    /** Returns the initial state. */
    ModelState initial(DataShape shape) {
        ModelState model = ModelState.initial(new GnnNetwork(training.model(), shape.features(), shape.classes())
                .initialWeights(training.randomSeed()));
        return this.shape.embeddings() == 0
                ? model
                : model.with(EmbeddingRows.none(training.randomSeed(), this.shape.embeddings()));
    }

    /** Returns the trainers of the shards of a source. */
    ShardTrainers trainers(ShardSource source, DataShape shape, Path scratchOfRun) {
        if (mode instanceof TrainingMode.FullGraph full) {
            return new FullGraphTrainers(
                    new FullGraphStores(source, shape, scratchOfRun),
                    shape.features(),
                    new GnnNetwork(training.model(), shape.features(), shape.classes()),
                    training,
                    full.options());
        }
        if (mode instanceof TrainingMode.Sync sync) {
            return new SyncTrainers(source, shape, training, sync.options(), scratchOfRun);
        }
        return new SourceTrainers(source, shape, training, scratchOfRun);
    }

    /** Returns the file of checkpoints; null for none. */
    @Nullable CheckpointFile checkpoints() throws IOException {
        if (out == null) {
            return null;
        }
        Path folder = Files.createDirectories(out);
        if (shape.embeddings() == 0) {
            new EmbeddingFiles(folder).remove(); // those of another training
        }
        return new CheckpointFile(folder);
    }

    /** Returns a listener that writes each new best model and passes everything on to another listener. */
    RoundListener keeping(DataShape shape, RoundListener listener) {
        Path folder = out;
        if (folder == null) {
            return listener;
        }
        ModelKeeper keeper =
                new ModelKeeper(training.model(), shape, scaling, !(mode instanceof TrainingMode.Local), folder);
        return RoundListener.all(List.of(keeper, listener));
    }
}
