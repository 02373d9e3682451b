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

/** The network, and how it is fed. */
@Heading("Model")
@SuppressWarnings("NullAway.Init") // picocli sets options
final class NetworkOptions {
    private static final String ALL = "all";
    private static final int DEFAULT_FANOUT = 10;

    @Option(
            names = "--model",
            paramLabel = "NAME",
            defaultValue = "graphsage",
            description = "graphsage, gcn, gat, or another one on the class path. Default: ${DEFAULT-VALUE}")
    private String model;

    @Option(names = "--layers", paramLabel = "N", defaultValue = "2", description = "Default: ${DEFAULT-VALUE}")
    private int layers;

    @Option(
            names = "--hidden",
            paramLabel = "N",
            defaultValue = "64",
            description = "Numbers per vertex between layers. Default: ${DEFAULT-VALUE}")
    private int hidden;

    @Option(
            names = "--heads",
            paramLabel = "N",
            defaultValue = "8",
            description = "Heads of attention that share them, with gat. Default: ${DEFAULT-VALUE}")
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
            description = "Share of each layer's inputs that are dropped in training. Default: ${DEFAULT-VALUE}")
    private double dropout;

    @Option(
            names = "--fanouts",
            paramLabel = "N,N",
            split = ",",
            description = "Neighbours that are sampled per vertex, one number per layer, that of the predicted vertices"
                    + " first; 'all' for all of them, in every layer. Default: " + DEFAULT_FANOUT + " in each layer")
    private List<String> fanouts = List.of();

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "512",
            description = "Training vertices of a step, those of all shards together; 'all' for one step per epoch."
                    + " Default: ${DEFAULT-VALUE}")
    private String batchSize;

    @Option(
            names = "--learning-rate",
            paramLabel = "RATE",
            defaultValue = "0.01",
            description = "Of Adam. Default: ${DEFAULT-VALUE}")
    private double learningRate;

    @Option(
            names = "--weight-decay",
            paramLabel = "RATE,RATE",
            split = ",",
            defaultValue = "5e-4",
            description =
                    "One number for all layers, or one per layer, the first layer's first; papers often have it in"
                            + " the first one only, as 5e-4,0. Default: ${DEFAULT-VALUE}")
    private List<Double> weightDecays;

    @Option(
            names = "--samplers",
            paramLabel = "N",
            defaultValue = "1",
            description = "Threads per shard that sample ahead; they change no number. Default: ${DEFAULT-VALUE}")
    private int samplers;

    @Option(
            names = "--prefetch",
            paramLabel = "N",
            defaultValue = "3",
            description = "Mini-batches per shard that may be ready. Default: ${DEFAULT-VALUE}")
    private int prefetch;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The same seed gives the same model on the CPU. Default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(
            names = "--device",
            paramLabel = "cpu|gpu",
            defaultValue = "cpu",
            description = "cpu, gpu (all of them, a thread each) or gpu:N. Default: ${DEFAULT-VALUE}")
    private String device;

    String model() {
        return model;
    }

    String device() {
        return device;
    }

    /** @throws IllegalArgumentException with a sentence, if an option is out of its range */
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
            // told below, as a number that is too small
        }
        throw new IllegalArgumentException("%s must be numbers from 1 or 'all': '%s'".formatted(option, text));
    }
}
