package io.cutwater.deploy.demo;

import io.cutwater.deploy.demo.GrowingGraph.Grown;
import io.cutwater.deploy.local.RunResources;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.deploy.view.Progress;
import io.cutwater.flink.job.JobFailedException;
import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.averaging.RefreshPolicy;
import io.cutwater.trainer.launch.GraphOrigin;
import io.cutwater.trainer.launch.TrainingRequest;
import io.cutwater.trainer.live.TopicShardsListener;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundPublisher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The demo, in one process: a graph with classes and features grows on topics of an embedded broker, the live job
 * partitions it as it grows, a model learns from the shards, and the job is re-partitioned once. Nothing of it is left
 * at the end.
 */
public final class Demo {
    private static final Topics TOPICS = new Topics("demo-");
    private static final int PARTITIONS_BEFORE = 8;
    private static final int PARTITIONS = 6;
    /**
     * Training begins with a quarter of the graph: a training that began with a few vertices was less accurate at the
     * end.
     */
    private static final int BEGINNING = 4;
    /** Rebuilding the shards for a newer cut takes as long as some epochs. */
    private static final int MERGE_EVERY = 3;

    private static final Duration PAGE_HISTORY = Duration.ofDays(1);
    /** The live job's default. */
    private static final double IMBALANCE = 0.05;
    /** Growth for an audience writes a gigabyte in some hours, not in one. */
    private static final int SLOWER = 10;
    /** The training on the whole graph is for comparison, and not published. */
    private static final RoundListener NOTHING = RoundListener.all(List.of());

    private final DemoRequest request;
    private final Progress.Display display;

    public Demo(DemoRequest request, Progress.Display display) {
        this.request = request;
        this.display = display;
    }

    /** Who watches the demo. */
    public interface Audience {
        /** Starts a page of the topics; it is closed at the end. */
        AutoCloseable open(PageRequest page) throws IOException;

        /** Called when everything but the growth has ended. */
        void show(DemoResult result);
    }

    /**
     * Runs to the end.
     *
     * @param audience for which the demo goes on growing until its thread is interrupted; null to end
     */
    public DemoResult run(@Nullable Audience audience) throws IOException, JobFailedException, InterruptedException {
        try (RunResources resources = new RunResources()) {
            Path folder = resources.add(TemporaryFolder.create()).path();
            display.say("starting Kafka in this process, in " + folder);
            EmbeddedBroker broker = resources.add(EmbeddedBroker.start(folder.resolve("kafka")));
            String servers = broker.bootstrapServers();
            makeTopics(servers);
            if (audience != null) {
                resources.add(audience.open(new PageRequest(servers, Map.of(), TOPICS, PAGE_HISTORY, IMBALANCE)));
            }
            RoundPublisher published =
                    resources.add(new RoundPublisher(servers, Map.of(), TOPICS, request.model(), "", display::say));
            LabelledGraph graph = new LabelledGraph(request.seed());
            display.say("starting Flink, and a graph of %d communities in %d classes that grows to %,d edges"
                    .formatted(LabelledGraph.COMMUNITIES, LabelledGraph.CLASSES, request.grownEdges()));
            LiveShards shards = resources.add(new LiveShards(job(servers), folder.resolve("flink")));
            Path files = Files.createDirectory(folder.resolve("graph"));
            GrowingGraph growth = resources.add(
                    new GrowingGraph(servers, TOPICS, graph, request.records(), request.edgesPerSecond(), files));
            DemoTraining training;
            try (Progress progress = display.begin("partition")) {
                shards.await(request.grownEdges() / BEGINNING, request.grownEdges(), progress, null);
                training = resources.add(new DemoTraining(
                        liveTraining(servers, folder, false), Math.max(1, request.epochs() / 3), display, published));
                shards.await(request.grownEdges(), request.grownEdges(), progress, training);
            }
            Grown grown = growth.await();
            RepartitionStatus plan;
            try (Progress progress = display.begin("repartition")) {
                plan = shards.repartition(PARTITIONS, progress, training);
            }
            RunReport report = shards.check(grown, graph, PARTITIONS);
            display.say(
                    "checked topic %s: each of the %,d edges is in its shard exactly once, and each vertex has its data"
                            .formatted(TOPICS.shards(), grown.fingerprint().edges()));
            training.release();
            Learned live;
            try (Progress progress = display.begin("train on the shards")) {
                live = training.await(progress);
            }
            DemoResult result = new DemoResult(report, plan, live, centralised(resources, growth.files(), folder));
            if (audience != null) {
                audience.show(result);
                growOn(resources, servers, graph, shards, folder);
            }
            return result;
        }
    }

    /** Lets the graph grow more slowly, and the training follow it, until the thread is interrupted. */
    private void growOn(
            RunResources resources, String bootstrapServers, LabelledGraph graph, LiveShards shards, Path folder)
            throws IOException, JobFailedException, InterruptedException {
        Path files = Files.createDirectory(folder.resolve("growth"));
        resources.add(new GrowingGraph(
                bootstrapServers,
                TOPICS,
                graph,
                Long.MAX_VALUE,
                Math.max(1, request.edgesPerSecond() / SLOWER),
                files));
        RoundPublisher published = resources.add(
                new RoundPublisher(bootstrapServers, Map.of(), TOPICS, request.model(), "", display::say));
        DemoTraining training =
                resources.add(new DemoTraining(liveTraining(bootstrapServers, folder, true), 0, display, published));
        while (true) {
            shards.requireRunning();
            training.requireWell();
        }
    }

    private TrainingRequest liveTraining(String bootstrapServers, Path folder, boolean follows) {
        GraphOrigin topic = new GraphOrigin.Topic(
                bootstrapServers,
                Map.of(),
                TOPICS,
                folder.resolve(follows ? "second-store" : "store"),
                null,
                TopicShardsListener.NONE);
        return request.training(topic, new RefreshPolicy(MERGE_EVERY, follows), folder);
    }

    /** Runs the same training on the whole graph, for comparison. */
    private Learned centralised(RunResources resources, GraphFiles files, Path folder)
            throws IOException, InterruptedException {
        GraphOrigin whole = new GraphOrigin.Whole(List.of(files.edges()), null, files.vertices());
        DemoTraining training = resources.add(
                new DemoTraining(request.training(whole, RefreshPolicy.NEVER, folder), 0, display, NOTHING));
        try (Progress progress = display.begin("train on the whole graph")) {
            return training.await(progress);
        }
    }

    private static void makeTopics(String bootstrapServers) {
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
            admin.ensure(
                    TOPICS.spec(TOPICS.edges(), 1),
                    TOPICS.spec(TOPICS.vertices(), 1),
                    TOPICS.spec(TOPICS.deadLetters(), 1));
        }
    }

    private LiveJobOptions job(String bootstrapServers) {
        return LiveJobOptions.of(Map.ofEntries(
                Map.entry("bootstrap-servers", bootstrapServers),
                Map.entry("topic-prefix", TOPICS.prefix()),
                Map.entry("event-format", "batch"),
                Map.entry("algorithm", "cutwater"),
                Map.entry("kind", "vertex"),
                Map.entry("partitions", Integer.toString(PARTITIONS_BEFORE)),
                Map.entry("seed", Long.toString(request.seed())),
                Map.entry("keep-edges", "true"),
                Map.entry("vertex-data", "true"),
                Map.entry("wait-limit", "500ms"),
                Map.entry("checkpoint-interval", "1s"),
                Map.entry("transaction-timeout", "5m")));
    }
}
