package io.cutwater.deploy.demo;

import io.cutwater.deploy.demo.GrowingGraph.Grown;
import io.cutwater.deploy.local.RunResources;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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

    private final DemoRequest request;
    private final Progress.Display display;

    public Demo(DemoRequest request, Progress.Display display) {
        this.request = request;
        this.display = display;
    }

    /** Runs to the end. */
    public DemoResult run() throws IOException, JobFailedException, InterruptedException {
        try (RunResources resources = new RunResources()) {
            Path folder = resources.add(TemporaryFolder.create()).path();
            display.say("starting Kafka in this process, in " + folder);
            EmbeddedBroker broker = resources.add(EmbeddedBroker.start(folder.resolve("kafka")));
            String servers = broker.bootstrapServers();
            makeTopics(servers);
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
                training = resources.add(
                        new DemoTraining(liveTraining(servers, folder), Math.max(1, request.epochs() / 3), display));
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
            return new DemoResult(report, plan, live, centralised(resources, growth.files(), folder));
        }
    }

    private TrainingRequest liveTraining(String bootstrapServers, Path folder) {
        GraphOrigin topic = new GraphOrigin.Topic(
                bootstrapServers, Map.of(), TOPICS, folder.resolve("store"), null, TopicShardsListener.NONE);
        return request.training(topic, new RefreshPolicy(MERGE_EVERY, false), folder);
    }

    /** Runs the same training on the whole graph, for comparison. */
    private Learned centralised(RunResources resources, GraphFiles files, Path folder)
            throws IOException, InterruptedException {
        GraphOrigin whole = new GraphOrigin.Whole(List.of(files.edges()), null, files.vertices());
        DemoTraining training =
                resources.add(new DemoTraining(request.training(whole, RefreshPolicy.NEVER, folder), 0, display));
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
