package io.cutwater.deploy.bench.training;

import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.training.TrainerOptions;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Settings of {@link AccuracyBench} by name; a graph's own values are those of the paper with which it is compared. */
final class AccuracySettings {
    /**
     * Kipf and Welling: Semi-supervised classification with graph convolutional networks (2017), section 5.2, except
     * for the end: they stop after 200 epochs, when the loss still falls.
     */
    private static final Map<String, String> USUAL = Map.ofEntries(
            Map.entry("aggregator", "mean"),
            Map.entry("algorithm", "cutwater"),
            Map.entry("batch", "all"),
            Map.entry("dropout", "0.5"),
            Map.entry("epochs", "600"),
            Map.entry("every", "1"),
            Map.entry("fanout", "all"),
            Map.entry("features", "row"),
            Map.entry("heap", "1g"),
            Map.entry("hidden", "16"),
            Map.entry("learning-rate", "0.01"),
            Map.entry("model", "gcn"),
            Map.entry("modes", "one-shard,local,full-graph,sync"),
            Map.entry("partitions", "4"),
            Map.entry("patience", "50"),
            Map.entry("rows", "centralised,cutwater,spring,cutwater-alone,spring-alone"),
            Map.entry("plot", ""),
            Map.entry("python", ""),
            Map.entry(
                    "rules",
                    "none,epoch:1,epoch:2,epoch:3,adaptive:1,adaptive:2,adaptive:3,variation:0.01,variation:0.02,variation:0.03,epoch:1/int8,epoch:2/int8,epoch:2/int8/gradients"),
            Map.entry("shards", ""),
            Map.entry("seeds", "1,2,3,4,5"),
            Map.entry("split", "public"),
            Map.entry("test-every", "1"),
            Map.entry("topics", "yes"),
            Map.entry("vertices", "all"),
            Map.entry("weight-decay", "5e-4,0"),
            Map.entry("workers", "1"));

    /**
     * Shchur et al.: Pitfalls of graph neural network evaluation (2018), with the hyperparameters of their repository's
     * config/optimized/gcn.conf.yaml and config/train.conf.yaml: largest component, binary features, patience of 50.
     */
    private static final Map<String, String> SHCHUR = Map.of(
            "dropout", "0.8",
            "epochs", "1000",
            "features", "binary",
            "hidden", "64",
            "split", "shchur",
            "test-every", "5",
            "vertices", "largest-component",
            "weight-decay", "1e-3,0");

    private static final Map<String, Map<String, String>> BY_GRAPH = Map.of(
            "amazon-computers",
            SHCHUR,
            "coauthor-cs",
            SHCHUR,
            "planetoid-citeseer",
            Map.of(),
            "planetoid-cora",
            Map.of());

    /** The setting that names the graph whose settings are used instead of those of the folder's name. */
    static final String LIKE = "like";

    private final TreeMap<String, String> values = new TreeMap<>(USUAL);

    /**
     * Creates a graph's settings.
     *
     * @param graph name of its folder
     * @param changes each as NAME=VALUE, in which {@value #LIKE} names another graph
     * @throws IllegalArgumentException if the graph or a setting is unknown; the message is meant for users
     */
    AccuracySettings(String graph, List<String> changes) {
        values.put(LIKE, graph);
        for (String change : changes) {
            if (change.startsWith(LIKE + "=")) {
                values.put(LIKE, change.substring(LIKE.length() + 1));
            }
        }
        Map<String, String> own = BY_GRAPH.get(text(LIKE));
        if (own == null) {
            throw new IllegalArgumentException("there are no settings for graph %s, only for %s; take one's with %s=%s"
                    .formatted(text(LIKE), new TreeMap<>(BY_GRAPH).keySet(), LIKE, "planetoid-cora"));
        }
        values.putAll(own);
        for (String change : changes) {
            String[] parts = change.split("=", 2);
            if (parts.length != 2 || !values.containsKey(parts[0])) {
                throw new IllegalArgumentException(
                        "a setting is NAME=VALUE, with a name of %s: %s".formatted(values.keySet(), change));
            }
            values.put(parts[0], parts[1]);
        }
    }

    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("there is no setting " + name);
        }
        return value;
    }

    int number(String name) {
        return text(name).equals("all") ? SamplingOptions.ALL : Integer.parseInt(text(name));
    }

    List<String> list(String name) {
        return Arrays.asList(text(name).split(",", -1));
    }

    /** Returns whether features are binary, however often a word occurs. */
    boolean isBinary() {
        return text("features").equals("binary");
    }

    /** Returns whether only vertices of the largest component are trained on and tested. */
    boolean isLargestComponent() {
        return text("vertices").equals("largest-component");
    }

    /** Returns whether each seed draws its own split. */
    boolean isSplitDrawn() {
        return text("split").equals("drawn");
    }

    FeatureScaling scaling() {
        return isBinary()
                ? FeatureScaling.NONE
                : FeatureScaling.valueOf(text("features").toUpperCase(Locale.ROOT));
    }

    TrainerOptions training(long seed) {
        int layers = 2;
        return new TrainerOptions(
                new ModelOptions(
                        text("model"),
                        layers,
                        number("hidden"),
                        8,
                        Aggregator.valueOf(text("aggregator").toUpperCase(Locale.ROOT)),
                        Double.parseDouble(text("dropout"))),
                new SamplingOptions(Collections.nCopies(layers, number("fanout")), number("batch"), 1, 2),
                Double.parseDouble(text("learning-rate")),
                list("weight-decay").stream().map(Double::valueOf).toList(),
                seed,
                "cpu");
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
