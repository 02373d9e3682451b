package io.cutwater.deploy.cli.training;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cli.option.KafkaOptions;
import io.cutwater.deploy.cli.option.MissingFeaturesOption;
import io.cutwater.deploy.cli.option.VertexFileOptions;
import io.cutwater.deploy.cli.training.progress.LearningCurves;
import io.cutwater.deploy.cli.training.progress.TopicShardsProgress;
import io.cutwater.deploy.cli.training.progress.TrainingMetrics;
import io.cutwater.deploy.cli.training.progress.TrainingProgress;
import io.cutwater.deploy.cli.training.progress.TrainingSummary;
import io.cutwater.deploy.launch.Termination;
import io.cutwater.deploy.view.Interruption;
import io.cutwater.deploy.view.Progress;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.launch.CoordinatorRun;
import io.cutwater.trainer.launch.GraphOrigin;
import io.cutwater.trainer.launch.TrainingMode;
import io.cutwater.trainer.launch.TrainingRequest;
import io.cutwater.trainer.launch.TrainingRun;
import io.cutwater.trainer.launch.TrainingTopics;
import io.cutwater.trainer.launch.WorkerRun;
import io.cutwater.trainer.mesh.MeshOptions;
import io.cutwater.trainer.model.GnnModels;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundPublisher;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.torch.DeviceMemory;
import io.cutwater.trainer.torch.Torch;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    @Mixin
    private RoundOptions rounds;

    @Mixin
    private ResultOptions results;

    @Mixin
    private ModeOptions modes;

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
        MeshOptions mesh = roles.mesh(kafka, request.averaging().averageEvery(), request.mode());
        boolean isWorker = topics != null && roles.isWorker();
        boolean endsInOrder = isWorker || merges.follows();
        try (Termination termination = endsInOrder ? new Termination() : null;
                Interruption interruption =
                        endsInOrder ? null : new Interruption(spec.commandLine().getErr(), this::interrupted)) {
            if (topics != null && isWorker) {
                work(request, topics, mesh);
            } else {
                train(request, topics, mesh);
            }
            if (termination != null) {
                termination.done();
            }
        }
        return 0;
    }

    private String interrupted() {
        return results.out() == null
                ? "nothing was kept; give --out DIR to keep a checkpoint of each round"
                : "%1$s has the checkpoint of the last test, if there was one; the same command with --resume continues from it"
                        .formatted(results.out());
    }

    private void train(TrainingRequest request, @Nullable TrainingTopics topics, @Nullable MeshOptions mesh)
            throws IOException, InterruptedException {
        Path plot = results.plot();
        Progress.Display display = common.display(spec.commandLine().getErr());
        LearningCurves curves = new LearningCurves();
        TrainingResult result;
        // A coordinator trains on none.
        List<DeviceMemory> devices = roles.role == null ? devices() : List.of();
        try (TrainingMetrics served = serveMetrics(devices, display);
                RoundPublisher published = publisher(display, topics, request.mode());
                Progress progress = display.begin("training")) {
            List<RoundListener> listeners = new ArrayList<>();
            listeners.add(new TrainingProgress(progress, display, rounds.epochs()));
            if (plot != null) {
                listeners.add(curves);
            }
            if (served != null) {
                listeners.add(served);
            }
            if (published != null) {
                listeners.add(published);
            }
            RoundListener listener = RoundListener.all(listeners);
            result = topics == null
                    ? new TrainingRun(request, listener).run()
                    : new CoordinatorRun(request, topics, listener, roles.processName(mesh), mesh).run();
        }
        PrintWriter to = spec.commandLine().getOut();
        TrainingSummary summary =
                new TrainingSummary(network.model(), request.training().randomSeed(), result);
        if (common.isJson()) {
            JsonText.print(to, summary.json());
        } else {
            summary.print(to);
        }
        if (plot != null) {
            curves.write(
                    "%s: %s, seed %d"
                            .formatted(
                                    files.name(kafka),
                                    network.model(),
                                    request.training().randomSeed()),
                    plot);
            display.say("cutwater: wrote " + plot);
        }
    }

    private List<DeviceMemory> devices() {
        return results.metricsAddress() == null ? List.of() : DeviceMemory.of(network.device());
    }

    private @Nullable TrainingMetrics serveMetrics(List<DeviceMemory> devices, Progress.Display display)
            throws IOException {
        InetSocketAddress address = results.metricsAddress();
        if (address == null) {
            return null;
        }
        TrainingMetrics served = TrainingMetrics.serve(address, devices, roles.role == null || !roles.isWorker());
        display.say("cutwater: metrics at http://%s:%d/metrics"
                .formatted(served.address().getHostString(), served.address().getPort()));
        return served;
    }

    /** Returns the publisher of the rounds of a training that has a broker; null without one. */
    private @Nullable RoundPublisher publisher(
            Progress.Display display, @Nullable TrainingTopics topics, TrainingMode mode) {
        return topics == null && !files.isTopic()
                ? null
                : new RoundPublisher(
                        kafka.bootstrapServers("--topic"),
                        kafka.client(),
                        kafka.topics(),
                        network.model(),
                        mode.words(),
                        note -> display.say("cutwater: " + note));
    }

    private void refuseIdleTopicOptions(@Nullable TrainingTopics topics) {
        if (topics == null && !files.isTopic()) {
            String given = kafka.given();
            if (given != null) {
                throw wrong(given + " needs --topic, or --role; leave it out");
            }
        }
    }

    private void work(TrainingRequest request, TrainingTopics topics, @Nullable MeshOptions mesh)
            throws IOException, InterruptedException {
        results.refuseInWorker();
        String name = roles.processName(mesh);
        common.display(spec.commandLine().getErr())
                .say("cutwater: %s %s is waiting for a coordinator"
                        .formatted(roles.isSampler() ? "sampler" : "worker", name));
        String end = "the training has ended";
        try (TrainingMetrics served =
                serveMetrics(devices(), common.display(spec.commandLine().getErr()))) {
            new WorkerRun(request, topics, name, mesh, roles.isSampler()).run();
        } catch (InterruptedException | RuntimeException e) {
            // A Kafka client reports an interrupt in its own way.
            if (e instanceof RuntimeException failure && !Thread.interrupted()) {
                throw failure;
            }
            end = "the %s was stopped".formatted(roles.isSampler() ? "sampler" : "worker");
        }
        if (common.isJson()) {
            JsonText.print(spec.commandLine().getOut(), JsonText.object().put("worker", name));
        } else {
            spec.commandLine().getOut().println(end);
        }
    }

    private int workers() {
        return roles.role == null ? Torch.threads(network.device()) : 1;
    }

    private TrainingRequest request() throws IOException {
        GraphOrigin graph = files.graph(
                vertices.files(),
                kafka,
                new TopicShardsProgress(common.display(spec.commandLine().getErr())));
        results.requireUsable();
        try {
            GnnModels.of(network.model());
            Torch.device(network.device());
            return new TrainingRequest(
                    graph,
                    scaling,
                    merges.shape()
                            .allowingMissingFeatures(missingFeatures.isAllowed())
                            .withEmbeddings(modes.embeddings()),
                    network.training(),
                    rounds.averaging(modes, workers(), merges.refreshPolicy(files.isTopic())),
                    modes.mode(roles),
                    files.scratch(),
                    results.out(),
                    results.resumes());
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
