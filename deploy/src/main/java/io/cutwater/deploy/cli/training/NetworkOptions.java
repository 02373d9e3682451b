package io.cutwater.deploy.cli.training;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.training.TrainerOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import picocli.CommandLine.Option;

/** The neural network, its training and its sampling. */
@Heading("Model")
@SuppressWarnings("NullAway.Init") // picocli sets options
final class NetworkOptions {
    private static final String ALL = "all";
    private static final int DEFAULT_FANOUT = 10;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            defaultValue = "graphsage",
            description = "graphsage, gcn, gat, or a model on the class path. Default: ${DEFAULT-VALUE}")
    private String model;

    @Option(
            names = "--layers",
            paramLabel = "N",
            defaultValue = "2",
            description = "Number of layers. Default: ${DEFAULT-VALUE}")
    private int layers;

    @Option(
            names = "--hidden",
            paramLabel = "N",
            defaultValue = "64",
            description = "Width of hidden layers. Default: ${DEFAULT-VALUE}")
    private int hidden;

    @Option(
            names = "--heads",
            paramLabel = "N",
            defaultValue = "8",
            description = "Attention heads of gat, which share the width. Default: ${DEFAULT-VALUE}")
    private int heads;

    @Option(
            names = "--aggregator",
            paramLabel = "mean|gcn",
            defaultValue = "mean",
            description = "How graphsage combines neighbours. Default: ${DEFAULT-VALUE}")
    private Aggregator aggregator;

    @Option(
            names = "--dropout",
            paramLabel = "SHARE",
            defaultValue = "0.5",
            description = "Share of each layer's inputs dropped in training. Default: ${DEFAULT-VALUE}")
    private double dropout;

    @Option(
            names = "--fanouts",
            paramLabel = "N,N",
            split = ",",
            description = "Sampled neighbours per layer, outer layer first; all for all. Default: 10 each")
    private List<String> fanouts = List.of();

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "512",
            description = "Training vertices of a step over all shards; all for full batch. Default: ${DEFAULT-VALUE}")
    private String batchSize;

    @Option(
            names = "--learning-rate",
            paramLabel = "RATE",
            defaultValue = "0.01",
            description = "Learning rate of Adam. Default: ${DEFAULT-VALUE}")
    private double learningRate;

    @Option(
            names = "--weight-decay",
            paramLabel = "RATE,RATE",
            split = ",",
            defaultValue = "5e-4",
            description = "Weight decay of all layers, or one number per layer. Default: ${DEFAULT-VALUE}")
    private List<Double> weightDecays;

    @Option(
            names = "--samplers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Sampling threads per shard; results do not depend on them. Default: ${DEFAULT-VALUE}")
    private int samplers;

    @Option(
            names = "--prefetch",
            paramLabel = "N",
            defaultValue = "3",
            description = "Mini-batches that are sampled ahead per shard. Default: ${DEFAULT-VALUE}")
    private int prefetch;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Random seed; training on the CPU is deterministic. Default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(
            names = "--device",
            paramLabel = "cpu|gpu",
            defaultValue = "cpu",
            description = "cpu, gpu (all, a thread each) or gpu:N. Default: ${DEFAULT-VALUE}")
    private String device;

    String model() {
        return model;
    }

    String device() {
        return device;
    }

    /** @throws IllegalArgumentException if an option is out of range; the message is meant for users */
    TrainerOptions training() {
        return new TrainerOptions(
                new ModelOptions(model, layers, hidden, heads, aggregator, dropout),
                new SamplingOptions(parsedFanouts(), number("--batch-size", batchSize), samplers, prefetch),
                learningRate,
                weightDecays.size() == 1 ? Collections.nCopies(Math.max(0, layers), weightDecays.get(0)) : weightDecays,
                seed,
                device);
    }

    private List<Integer> parsedFanouts() {
        if (fanouts.isEmpty()) {
            return Collections.nCopies(Math.max(0, layers), DEFAULT_FANOUT);
        }
        if (fanouts.equals(List.of(ALL))) {
            return Collections.nCopies(Math.max(0, layers), SamplingOptions.ALL);
        }
        List<Integer> parsed = new ArrayList<>();
        for (String fanout : fanouts) {
            parsed.add(number("--fanouts", fanout));
        }
        return parsed;
    }

    private static int number(String option, String text) {
        if (text.equals(ALL)) {
            return SamplingOptions.ALL;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below, like a number that is too small
        }
        throw new IllegalArgumentException("%s must be 1 or more, or 'all', but was '%s'".formatted(option, text));
    }
}
