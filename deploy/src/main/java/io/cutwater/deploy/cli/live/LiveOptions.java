package io.cutwater.deploy.cli.live;

import io.cutwater.deploy.cli.option.KafkaPropertiesOption;
import io.cutwater.deploy.cli.partition.AlgorithmOptions;
import io.cutwater.flink.job.LiveJobOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the live job, word for word; the job itself says whether they are good. */
final class LiveOptions {
    @Option(
            names = "--bootstrap-servers",
            paramLabel = "HOST:PORT[,HOST:PORT…]",
            description = "The Kafka brokers. Default: that of the local cluster")
    private @Nullable String bootstrapServers;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private KafkaPropertiesOption kafka;

    @Option(
            names = "--topic-prefix",
            paramLabel = "PREFIX",
            description = "Before the names of all topics. Default: none")
    private @Nullable String topicPrefix;

    @Option(
            names = "--event-format",
            paramLabel = "FORMAT",
            description =
                    "Format of the edges on the topic that do not name theirs in header cutwater-format, as those of"
                            + " ingest do: csv, json, binary or batch. Default: csv")
    private @Nullable String eventFormat;

    @Option(
            names = "--start-offsets",
            paramLabel = "PARTITION:OFFSET,…",
            description = "Where to begin in topic edges. Default: the beginning of each topic partition")
    private @Nullable String startOffsets;

    @Option(
            names = "--bootstrap",
            arity = "0..1",
            fallbackValue = LiveJobOptions.NOW,
            paramLabel = "OFFSETS",
            description =
                    "First places what is in topic edges in bulk passes, with the whole of it in view, then goes on"
                            + " live behind it. The offsets, PARTITION:FROM-UNTIL,…, are those of the start; resume keeps them."
                            + " An algorithm that looks at one edge at a time reads the topic live from its beginning.")
    private @Nullable String bootstrap;

    @Option(names = "--partitions", paramLabel = "K", description = "How many partitions, 1 to 4096.")
    private @Nullable String partitions;

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            completionCandidates = AlgorithmOptions.Names.class,
            description = "One of ${COMPLETION-CANDIDATES}. Default: cutwater; hdrf with --parallelism or --assigners.")
    private @Nullable String algorithm;

    @Option(
            names = "--kind",
            paramLabel = "edge|vertex",
            description = "Whether edges are placed, each on one partition, or vertices, each with all its edges."
                    + " Default: what the algorithm does; edge, if it does both")
    private @Nullable String kind;

    @Option(names = "--seed", paramLabel = "N", description = "Of every hash and random choice.")
    private @Nullable String seed;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A setting of the algorithm, such as lambda=1.1 of hdrf. May be repeated.")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--keep-edges",
            description =
                    "Keeps every edge in the job's state, so that edges can be removed and the job can be"
                            + " re-partitioned. Costs disk and speed; fixed with the first submission. Default: edges only come")
    private boolean isKeepingEdges;

    @Option(
            names = "--auto-repartition",
            arity = "0..1",
            fallbackValue = "5%",
            paramLabel = "BUDGET",
            description =
                    "Makes another plan when the placement has become worse, and moves so many of the edges at most in"
                            + " a round, as 5%% or 0.05 of all; 5%% if none is given. Needs --keep-edges. Default: off")
    private @Nullable String autoRepartition;

    @Option(
            names = "--cache-size",
            paramLabel = "BYTES",
            description =
                    "Memory for vertices in front of the state on disk, on the task's heap. RocksDB takes the managed"
                            + " memory of the task's slot beside it. Default: 256m")
    private @Nullable String cacheSize;

    @Option(
            names = "--wait-limit",
            paramLabel = "TIME",
            description = "How long an edge may wait for others before it is placed, in algorithms that let edges wait."
                    + " Default: 10s")
    private @Nullable String waitLimit;

    @Option(
            names = "--checkpoint-interval",
            paramLabel = "TIME",
            description = "How often shards are committed, and the most that is done again after a crash. Default: 10s")
    private @Nullable String checkpointInterval;

    @Option(
            names = "--checkpoint-dir",
            paramLabel = "URI",
            description = "Folder that every process of the Flink cluster can reach. Default: the cluster's own")
    private @Nullable String checkpointFolder;

    @Option(
            names = "--transaction-timeout",
            paramLabel = "TIME",
            description = "After which Kafka aborts what a dead job has not committed. Default: the broker's"
                    + " transaction.max.timeout.ms, 24h at most")
    private @Nullable String transactionTimeout;

    @Option(
            names = "--max-parallelism",
            paramLabel = "N",
            description = "What rescaling can never exceed; fixed with the first submission. Default: 128")
    private @Nullable String maxParallelism;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            description = "Tasks that hold the vertices. Default: 1, which also decides")
    private @Nullable String parallelism;

    @Option(
            names = "--assigners",
            paramLabel = "N",
            description = "Tasks that decide; with several, the result depends on chance. Default: 1")
    private @Nullable String assigners;

    @Option(
            names = "--topology",
            paramLabel = "NAME",
            description = "fused: one task decides and holds the vertices; distributed: as many tasks as asked for;"
                    + " auto: fused if one is enough. A job that was distributed stays so. Default: auto")
    private @Nullable String topology;

    @Option(
            names = "--vertex-data",
            description =
                    "Also reads topic vertices, and gives every shard the features, label and split of the vertices"
                            + " that it has. Costs state for each vertex; fixed with the first submission. Default: edges only")
    private boolean isReadingVertices;

    /** What was given, by name without the dashes. */
    Map<String, String> given() {
        Map<String, String> given = new TreeMap<>();
        put(given, "bootstrap-servers", bootstrapServers);
        Path properties = kafka.file();
        put(given, LiveJobOptions.KAFKA_PROPERTIES, properties == null ? null : properties.toString());
        put(given, "topic-prefix", topicPrefix);
        put(given, "event-format", eventFormat);
        put(given, "start-offsets", startOffsets);
        put(given, "bootstrap", bootstrap);
        put(given, "partitions", partitions);
        put(given, "algorithm", algorithm);
        put(given, "kind", kind);
        put(given, "seed", seed);
        put(given, "set", settings.isEmpty() ? null : String.join(",", settings));
        put(given, "keep-edges", isKeepingEdges ? "true" : null);
        put(given, "auto-repartition", autoRepartition);
        put(given, "cache-size", cacheSize);
        put(given, "wait-limit", waitLimit);
        put(given, "checkpoint-interval", checkpointInterval);
        put(given, "checkpoint-dir", checkpointFolder);
        put(given, "transaction-timeout", transactionTimeout);
        put(given, "max-parallelism", maxParallelism);
        put(given, "parallelism", parallelism);
        put(given, "assigners", assigners);
        put(given, "topology", topology);
        put(given, "vertex-data", isReadingVertices ? "true" : null);
        return given;
    }

    private static void put(Map<String, String> given, String name, @Nullable String value) {
        if (value != null) {
            given.put(name, value);
        }
    }
}
