package io.cutwater.deploy.cli.training;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.converter.AverageEveryConverter;
import io.cutwater.deploy.cli.converter.DurationConverter;
import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cli.option.KafkaOptions;
import io.cutwater.deploy.cli.option.MissingFeaturesOption;
import io.cutwater.deploy.cli.option.PlotFile;
import io.cutwater.deploy.cli.option.VertexFileOptions;
import io.cutwater.deploy.view.Progress;
import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.launch.CoordinatorRun;
import io.cutwater.trainer.launch.GraphOrigin;
import io.cutwater.trainer.launch.TrainingRequest;
import io.cutwater.trainer.launch.TrainingRun;
import io.cutwater.trainer.launch.TrainingTopics;
import io.cutwater.trainer.launch.WorkerRun;
import io.cutwater.trainer.model.GnnModels;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.torch.Torch;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Trains a graph neural network on shards. */
@Command(
        name = "train",
        sortOptions = false,
        description = "Trains a graph neural network to classify vertices, on shards or on a whole graph.",
        footer = {
            "",
            "Example: cutwater train --shards shards --features features.svm --labels labels.txt --split split.txt"
        })
@Heading("Training")
@SuppressWarnings("NullAway.Init") // picocli sets options and mixins
public final class TrainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private LearningFiles files;

    @Mixin
    private VertexFileOptions vertices;

    @Mixin
    private MissingFeaturesOption missingFeatures;

    @Option(
            names = "--feature-scaling",
            paramLabel = "none|row|column",
            defaultValue = "none",
            description =
                    "row: sum 1 per vertex; column: mean 0 and deviation 1 per feature. Default: ${DEFAULT-VALUE}")
    private FeatureScaling scaling;

    @Mixin
    private NetworkOptions network;

    @Option(
            names = "--epochs",
            paramLabel = "N",
            defaultValue = "100",
            description = "Number of epochs. Default: ${DEFAULT-VALUE}")
    private int epochs;

    @Option(
            names = "--average-every",
            paramLabel = "N|batch|Nbatches",
            defaultValue = "1",
            converter = AverageEveryConverter.class,
            description = "Epochs, or mini-batches per shard, between two averages. Default: ${DEFAULT-VALUE}")
    private AverageEvery averageEvery;

    @Option(
            names = "--patience",
            paramLabel = "N",
            defaultValue = "0",
            description = "Stop after N epochs without a lower validation loss; 0 for never. Default: ${DEFAULT-VALUE}")
    private int patience;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Parallel shards; of a coordinator: workers to wait for. Default: one per processor or GPU")
    private @Nullable Integer workers;

    @Option(
            names = "--round-wait",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description = "Longest wait of a round for a worker. Default: ${DEFAULT-VALUE}")
    private Duration roundWait;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the model, its checkpoints and rounds.csv.")
    private @Nullable Path out;

    @Option(names = "--resume", description = "Continue from the checkpoint in --out, with the same options.")
    private boolean resumes;

    @Option(names = "--plot", paramLabel = "FILE.png|svg", description = "Also draw loss and accuracy by epoch.")
    private @Nullable Path plot;

    @Option(
            names = "--metrics",
            paramLabel = "[HOST:]PORT",
            description = "Serve Prometheus metrics at /metrics; without HOST on this machine only.")
    private @Nullable String metrics;

    @Mixin
    private MergeOptions merges;

    @Mixin
    private RoleOptions roles;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        TrainingTopics topics = roles.topics(kafka);
        refuseIdleTopicOptions(topics);
        TrainingRequest request = request();
        boolean isWorker = topics != null && roles.role == RoleOptions.Role.WORKER;
        try (Termination termination = isWorker || merges.follows() ? new Termination() : null) {
            if (topics != null && isWorker) {
                work(request, topics);
            } else {
                train(request, topics);
            }
            if (termination != null) {
                termination.done();
            }
        }
        return 0;
    }

    private void train(TrainingRequest request, @Nullable TrainingTopics topics)
            throws IOException, InterruptedException {
        InetSocketAddress metricsAddress = metrics == null ? null : metricsAddress(metrics);
        Progress.Display display = common.display(spec.commandLine().getErr());
        LearningCurves curves = new LearningCurves();
        TrainingResult result;
        try (TrainingMetrics served = metricsAddress == null ? null : TrainingMetrics.serve(metricsAddress);
                Progress progress = display.begin("training")) {
            List<RoundListener> listeners = new ArrayList<>();
            listeners.add(new TrainingProgress(progress, display, epochs));
            if (plot != null) {
                listeners.add(curves);
            }
            if (served != null) {
                display.say("cutwater: metrics at http://%s:%d/metrics"
                        .formatted(
                                served.address().getHostString(),
                                served.address().getPort()));
                listeners.add(served);
            }
            RoundListener listener = RoundListener.all(listeners);
            result = topics == null
                    ? new TrainingRun(request, listener).run()
                    : new CoordinatorRun(request, topics, listener).run();
        }
        print(request, result);
        if (plot != null) {
            curves.write(
                    "%s, seed %d".formatted(network.model(), request.training().randomSeed()), plot);
            display.say("cutwater: wrote " + plot);
        }
    }

    private void refuseIdleTopicOptions(@Nullable TrainingTopics topics) {
        if (topics == null && !files.isTopic()) {
            String given = kafka.given();
            if (given != null) {
                throw wrong(given + " needs --topic, or --role coordinator or worker; leave it out");
            }
        }
    }

    private void work(TrainingRequest request, TrainingTopics topics) throws IOException, InterruptedException {
        if (out != null || plot != null || metrics != null) {
            throw wrong("--out, --plot and --metrics are for the coordinator; leave them out of a worker");
        }
        // A restarted worker must not be taken for the one that died.
        String name = "%s-%s".formatted(host(), UUID.randomUUID().toString().substring(0, 8));
        common.display(spec.commandLine().getErr())
                .say("cutwater: worker %s is waiting for a coordinator".formatted(name));
        String end = "the training has ended";
        try {
            new WorkerRun(request, topics, name).run();
        } catch (InterruptedException e) {
            end = "the worker was stopped";
        } catch (RuntimeException e) {
            if (!Thread.interrupted()) { // a Kafka client reports an interrupt in its own way
                throw e;
            }
            end = "the worker was stopped";
        }
        if (common.isJson()) {
            JsonText.print(spec.commandLine().getOut(), JsonText.object().put("worker", name));
        } else {
            spec.commandLine().getOut().println(end);
        }
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "worker"; // only for display; the rest of the name is unique
        }
    }

    private InetSocketAddress metricsAddress(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535 || colon == 0) {
            throw wrong("--metrics must be PORT or HOST:PORT, with a port between 0 and 65535, but was '%s'"
                    .formatted(text));
        }
        int number = Integer.parseInt(port);
        if (colon < 0) {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), number);
        }
        InetSocketAddress address = new InetSocketAddress(text.substring(0, colon), number);
        if (address.isUnresolved()) {
            throw wrong("--metrics: unknown host '%s'".formatted(text.substring(0, colon)));
        }
        return address;
    }

    private int workers() {
        if (workers != null) {
            return workers;
        }
        return roles.role == null ? Torch.threads(network.device()) : 1;
    }

    private TrainingRequest request() {
        GraphOrigin graph = files.graph(
                vertices.files(),
                kafka,
                new TopicShardsProgress(common.display(spec.commandLine().getErr())));
        if (plot != null) {
            PlotFile.require(spec, plot);
        }
        if (resumes && out == null) {
            throw wrong("--resume needs the folder of the checkpoint; give it with --out");
        }
        if (out != null && Files.exists(out) && !Files.isDirectory(out)) {
            throw wrong("--out %s is not a directory; name another one".formatted(out));
        }
        try {
            GnnModels.of(network.model());
            Torch.device(network.device());
            return new TrainingRequest(
                    graph,
                    scaling,
                    merges.shape().allowingMissingFeatures(missingFeatures.isAllowed()),
                    network.training(),
                    new AveragingOptions(
                            epochs,
                            averageEvery,
                            workers(),
                            roundWait,
                            patience,
                            merges.refreshPolicy(files.isTopic())),
                    files.scratch(),
                    out,
                    resumes);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private void print(TrainingRequest request, TrainingResult result) {
        PrintWriter to = spec.commandLine().getOut();
        if (common.isJson()) {
            ObjectNode json = JsonText.object();
            json.put("model", network.model())
                    .put("seed", request.training().randomSeed())
                    .put("epochs", result.epochs())
                    .put("bestEpoch", result.bestEpoch())
                    .put("rounds", result.rounds());
            putAccuracy(json, "trainAccuracy", result, VertexSplit.TRAIN);
            putAccuracy(json, "validationAccuracy", result, VertexSplit.VAL);
            putAccuracy(json, "testAccuracy", result, VertexSplit.TEST);
            json.put("secondsPerEpoch", result.secondsPerEpoch()).put("bytesAveraged", result.bytesAveraged());
            JsonText.print(to, json);
            return;
        }
        row(to, "model", "%s, seed %d", network.model(), request.training().randomSeed());
        row(
                to,
                "epochs",
                "%,d in %,d rounds; the best model is that of epoch %,d",
                result.epochs(),
                result.rounds(),
                result.bestEpoch());
        for (VertexSplit of : new VertexSplit[] {VertexSplit.TRAIN, VertexSplit.VAL, VertexSplit.TEST}) {
            if (result.counts().total(of) > 0) {
                String name = (of == VertexSplit.VAL ? "validation" : of.label()) + " accuracy";
                row(
                        to,
                        name,
                        "%.4f  of %,d vertices",
                        result.counts().accuracy(of),
                        result.counts().total(of));
            }
        }
        row(to, "time", "%.3f s per epoch", result.secondsPerEpoch());
        row(to, "models sent", "%,d bytes, both ways", result.bytesAveraged());
        to.flush();
    }

    private static void putAccuracy(ObjectNode json, String key, TrainingResult result, VertexSplit split) {
        if (result.counts().total(split) > 0) {
            json.put(key, result.counts().accuracy(split));
        }
    }

    private static void row(PrintWriter out, String name, String format, Object... values) {
        out.printf(Locale.ROOT, "%-20s %s%n", name, String.format(Locale.ROOT, format, values));
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
