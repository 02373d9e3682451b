package io.cutwater.deploy.demo;

import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.RefreshPolicy;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.launch.GraphOrigin;
import io.cutwater.trainer.launch.TrainingMode;
import io.cutwater.trainer.launch.TrainingRequest;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.training.TrainerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Options of the demo.
 *
 * @param edges number of edges at the end, up to the next full record
 * @param edgesPerSecond maximum rate
 * @param model a name that {@link io.cutwater.trainer.model.GnnModels} knows
 * @param epochs of each training, at least 2: a third of them run while the graph grows
 * @param seed of the graph, the partitioner and the model
 */
public record DemoRequest(long edges, long edgesPerSecond, String model, int epochs, long seed) {
    /** On 6 shards of 300,000 edges, after 12 epochs: 93.2 % with this, 92.2 % every epoch, 93.5 % centralised. */
    private static final AverageEvery AVERAGE_EVERY = AverageEvery.batches(4);

    public DemoRequest {
        if (edges < 1 || edgesPerSecond < 1 || epochs < 2) {
            throw new IllegalArgumentException(
                    "edges and edgesPerSecond must be at least 1, and epochs at least 2: %d, %d, %d"
                            .formatted(edges, edgesPerSecond, epochs));
        }
    }

    long records() {
        return (edges + GrowingGraph.EDGES_PER_RECORD - 1) / GrowingGraph.EDGES_PER_RECORD;
    }

    long grownEdges() {
        return records() * GrowingGraph.EDGES_PER_RECORD;
    }

    /**
     * Returns the options of a training from the given origin.
     *
     * @param scratch an existing folder
     */
    TrainingRequest training(GraphOrigin graph, RefreshPolicy refresh, Path scratch) {
        ModelOptions network = new ModelOptions(model, 2, 32, 8, Aggregator.MEAN, 0.2);
        SamplingOptions sampling = new SamplingOptions(List.of(10, 10), 128, 1, 3);
        return new TrainingRequest(
                graph,
                FeatureScaling.NONE,
                ShapeOptions.ofClasses(LabelledGraph.CLASSES),
                new TrainerOptions(network, sampling, 0.02, 5e-4, seed, "cpu"),
                new AveragingOptions(
                        epochs,
                        1,
                        AVERAGE_EVERY,
                        Runtime.getRuntime().availableProcessors(),
                        Duration.ofMinutes(10),
                        0,
                        refresh),
                TrainingMode.LOCAL,
                scratch,
                null,
                false);
    }
}
