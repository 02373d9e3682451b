package io.cutwater.deploy.bench.training;

import io.cutwater.deploy.view.Picture;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.CutSource;
import io.cutwater.trainer.exchange.RowCoding;
import io.cutwater.trainer.exchange.Staleness;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.fullgraph.FullGraphOptions;
import io.cutwater.trainer.fullgraph.FullGraphTrainers;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.shard.FixedShards;
import io.cutwater.trainer.shard.FolderShard;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.TrainerOptions;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;

/**
 * Measures the test accuracy and the bytes of full-graph training with each staleness rule and encoding of rows, beside
 * training on the whole graph as one shard (the figure 4 of Peng et al. 2022, SANCUS).
 */
public final class StalenessBench {
    /** Points above and below the accuracy of one shard that are drawn. */
    private static final double POINTS = 2;

    private static final String STALE_GRADIENTS = "gradients";

    private final Experiment experiment;
    private final List<Row> rows = new ArrayList<>();

    /** The means of a row. */
    private record Row(String name, double accuracy, double avoided) {}

    private StalenessBench(Experiment experiment) {
        this.experiment = experiment;
    }

    /**
     * Prints a row for each rule.
     *
     * @param folder see {@link DatasetFolder}
     * @param changes see {@link AccuracySettings}; a rule is {@code RULE[/CODING[/gradients]]}, such as
     *     {@code epoch:1/int8/gradients}
     */
    public static void run(Path folder, List<String> changes, PrintStream out) throws Exception {
        Experiment.run(folder, List.of("every=10"), changes, out, experiment -> {
            AccuracySettings settings = experiment.settings();
            StalenessBench bench = new StalenessBench(experiment);
            out.println("| rows | test accuracy of each seed | mean ± deviation | to one shard | forward MB |"
                    + " forward bytes avoided | bytes of rows avoided | CPU s per epoch |");
            out.println("|---|---|---|---|---|---|---|---|");
            bench.row("one shard", 1, FullGraphOptions.EXACT);
            for (String rule : settings.list("rules")) {
                bench.row(rule, settings.number("partitions"), options(rule));
            }
            if (!settings.text("plot").isEmpty()) {
                bench.draw(Path.of(settings.text("plot")));
            }
        });
    }

    private static FullGraphOptions options(String rule) {
        String[] parts = rule.split("/", -1);
        Staleness staleness = Staleness.of(parts[0].replace('+', ','));
        RowCoding coding = parts.length < 2 ? RowCoding.FLOAT32 : RowCoding.valueOf(parts[1].toUpperCase(Locale.ROOT));
        return new FullGraphOptions(staleness, coding, parts.length > 2 && parts[2].equals(STALE_GRADIENTS));
    }

    private void row(String name, int partitions, FullGraphOptions how) throws IOException, InterruptedException {
        experiment.out().printf("| %s |", name);
        AtomicLong cpu = new AtomicLong();
        Experiment.Outcome outcome = experiment.train((data, options, folder) -> {
            Stores stores = stores(data, partitions, folder.path());
            long began = Experiment.cpuNanos();
            TrainingResult result = train(data, stores, options, how);
            cpu.addAndGet(Experiment.cpuNanos() - began);
            return result;
        });
        Traffic traffic = Traffic.NONE;
        long epochs = 0;
        for (TrainingResult result : outcome.results()) {
            traffic = traffic.plus(result.traffic());
            epochs += result.epochs();
        }
        double forward = share(traffic.forwardAvoided(), traffic.forwardSent());
        rows.add(new Row(name, outcome.mean(), forward));
        experiment
                .out()
                .printf(
                        " | %.2f ± %.2f | %+.2f | %.2f | %.1f %% | %.1f %% | %.3f |%n",
                        outcome.mean(),
                        outcome.deviation(),
                        outcome.mean() - rows.get(0).accuracy(),
                        traffic.forwardSent() / 1e6 / outcome.results().size(),
                        forward,
                        share(traffic.avoided(), traffic.forwardSent() + traffic.backwardSent()),
                        cpu.get() / 1e9 / epochs);
    }

    private static double share(long avoided, long sent) {
        return avoided + sent == 0 ? 0 : 100.0 * avoided / (avoided + sent);
    }

    private TrainingResult train(VertexData data, Stores stores, TrainerOptions options, FullGraphOptions how)
            throws IOException, InterruptedException {
        AccuracySettings settings = experiment.settings();
        GnnNetwork network = new GnnNetwork(options.model(), data.columns(), data.classCount());
        AveragingOptions averaging = new AveragingOptions(
                settings.number("epochs"),
                AverageEvery.epochs(settings.number("every")),
                1,
                Experiment.WAIT,
                settings.number("patience"));
        try (AveragedTraining training = new AveragedTraining(
                options.words(),
                averaging,
                CutSource.fixed(stores.stores().size()),
                new FullGraphTrainers(stores, data.columns(), network, options, how),
                network.initialWeights(options.randomSeed()),
                null,
                experiment)) {
            return training.run();
        }
    }

    private Stores stores(VertexData data, int partitions, Path folder) throws IOException, InterruptedException {
        AccuracySettings settings = experiment.settings();
        if (partitions == 1 || settings.text("shards").isEmpty()) {
            GraphShards shards = partitions == 1 ? experiment.whole() : experiment.shards();
            return new Stores(PartitioningKind.VERTEX, shards.stores(data, folder));
        }
        ShardFolder shards = ShardFolder.open(Path.of(settings.text("shards")));
        List<ShardStore> stores = new ArrayList<>();
        try (FixedShards source =
                new FixedShards(List.of(FolderShard.all(shards, data)), shards.kind(), data, ShapeOptions.FOUND)) {
            for (int shard = 0; shard < shards.shardCount(); shard++) {
                stores.add(
                        source.make(shard, source.latest(), Files.createDirectory(folder.resolve("shard-" + shard))));
            }
        }
        return new Stores(shards.kind(), stores);
    }

    private record Stores(PartitioningKind kind, List<ShardStore> stores) implements FullGraphTrainers.Stores {
        @Override
        public void open(int shard, ShardCut cut, StoreConsumer consumer) throws IOException, InterruptedException {
            consumer.accept(stores.get(shard));
        }
    }

    private void draw(Path file) throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(Picture.WIDTH)
                .height(Picture.HEIGHT)
                .title(experiment.name())
                .xAxisTitle("forward bytes avoided, %")
                .yAxisTitle("test accuracy, %")
                .build();
        double one = rows.get(0).accuracy();
        chart.getStyler()
                .setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Scatter)
                .setXAxisMin(0.0)
                .setXAxisMax(100.0)
                .setYAxisMin(one - POINTS)
                .setYAxisMax(one + POINTS)
                .setPlotGridLinesStroke(new BasicStroke(1)) // dashes make the file ten times as large
                .setChartBackgroundColor(Color.WHITE)
                .setLegendBackgroundColor(Color.WHITE);
        for (Row row : rows) {
            chart.addSeries(row.name(), new double[] {row.avoided()}, new double[] {row.accuracy()});
        }
        new Picture(List.of(chart)).write(file);
    }
}
