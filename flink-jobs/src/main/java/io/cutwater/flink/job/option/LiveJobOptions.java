package io.cutwater.flink.job.option;

import io.cutwater.flink.connector.input.Expiry;
import io.cutwater.flink.connector.input.StartPlaces;
import io.cutwater.flink.connector.restore.LostRecords;
import io.cutwater.flink.job.topology.Topology;
import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.kafka.client.ClientPropertiesFile;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Validated options of the live job; {@link JobOption#ALL} lists them as they are on the command line.
 *
 * @param bootstrapServers {@code host:port,…}
 * @param client more settings of Kafka clients, with references instead of secrets
 * @param eventFormat of the records that do not name theirs
 * @param startOffsets first offset by topic partition of {@code edges}; the others start at their beginnings
 * @param bootstraps whether the history of {@code edges} is placed in bulk first
 * @param history the range of the history; null without a bootstrap, or before the broker was asked for it
 * @param bootstrapThreads threads of the bulk passes over the history, on which its places depend
 * @param bootstrapTasks tasks that read topic {@code edges} and place its history, on which its places depend
 * @param startFrom the partitioning that the history begins with; null for none
 * @param keepsEdges whether the state holds every edge, so that edges can be removed and moved
 * @param removesVertices whether records may remove vertices
 * @param expiry when edges are removed again; null for never
 * @param refinement edges that may move to better places, as a share of those that come; 0 for none
 * @param ownBudget edges that the job may move by itself in a round, as a share of all; 0 for none
 * @param cacheBytes bound of the vertex table's memory
 * @param waitLimit how long an edge may wait for others before it is placed
 * @param transactionTimeout after which the broker aborts an open transaction; null for the longest that the broker
 *     allows, up to a day
 * @param maxParallelism key groups of the state, the upper bound of a later rescaling, 1 to 32768
 * @param spread numbers of tasks of the distributed topology; null for the fused one
 * @param checkpointFolder URI of the folder for checkpoints; empty for the one of the cluster's configuration
 * @param readsVertices whether the data of topic {@code vertices} go to the shards of each vertex
 * @param acceptsLoss whether a resumed job continues where records are lost; see {@code resume --accept-loss}
 * @param acceptsNewTopic whether a resumed job continues in another topic of the same name
 * @param lostRecords what a resumed job does about records that Kafka has aborted
 * @param arguments the given values by option name
 */
public record LiveJobOptions(
        String bootstrapServers,
        Map<String, String> client,
        Topics topics,
        RecordFormat eventFormat,
        Map<Integer, Long> startOffsets,
        PartitionerOptions partitioner,
        boolean bootstraps,
        @Nullable History history,
        int bootstrapThreads,
        int bootstrapTasks,
        @Nullable StartPlaces startFrom,
        boolean keepsEdges,
        boolean removesVertices,
        @Nullable Expiry expiry,
        double refinement,
        double ownBudget,
        long cacheBytes,
        Duration waitLimit,
        Duration checkpointInterval,
        @Nullable Duration transactionTimeout,
        int maxParallelism,
        @Nullable SpreadOptions spread,
        String checkpointFolder,
        boolean readsVertices,
        boolean acceptsLoss,
        boolean acceptsNewTopic,
        LostRecords lostRecords,
        Map<String, String> arguments) {
    /**
     * Option that names a file of further Kafka client properties. The job contains only its path; every process that
     * opens a client reads the file.
     */
    public static final String KAFKA_PROPERTIES = "kafka-properties";

    /** Value of {@code --bootstrap} before the broker was asked for the end of the history. */
    public static final String NOW = "now";

    /** Option to continue where records or transactions are lost; applies to one submission. */
    public static final String ACCEPT_LOSS = "accept-loss";

    /** Option to continue in another topic of the same name; applies to one submission. */
    public static final String ACCEPT_NEW_TOPIC = "accept-new-topic";

    /** Option to write the records of lost transactions again; applies to one submission. */
    public static final String REPLAY_LOST = "replay-lost";

    private static final int MAX_KEY_GROUPS = 1 << 15;
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

    /**
     * Parses {@code --name value} pairs.
     *
     * @throws IllegalArgumentException if an option is unknown or invalid; the message names it
     */
    public static LiveJobOptions parse(String... args) {
        Map<String, String> arguments = new TreeMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!args[i].startsWith("--")) {
                throw new IllegalArgumentException("options are written --name value: '%s'".formatted(args[i]));
            }
            if (i + 1 == args.length) {
                throw new IllegalArgumentException(args[i] + " has no value; write " + args[i] + " VALUE");
            }
            String name = args[i].substring(2);
            // A setting that is given again adds to those before; of anything else the last one would win silently.
            String before = arguments.put(name, args[i + 1]);
            if (before != null && name.equals("set")) {
                arguments.put(name, before + "," + args[i + 1]);
            } else if (before != null) {
                throw new IllegalArgumentException(args[i] + " is given twice; leave one of them out");
            }
        }
        return of(arguments);
    }

    /**
     * Parses values by option name without dashes; missing options have their defaults.
     *
     * @throws IllegalArgumentException if an option is unknown or invalid; the message names it
     */
    public static LiveJobOptions of(Map<String, String> arguments) {
        OptionValues values = new OptionValues(arguments);
        Duration interval = values.duration(LiveJobConfig.CHECKPOINT_INTERVAL);
        if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
            throw values.wrong(LiveJobConfig.CHECKPOINT_INTERVAL, "must be at least 100ms");
        }
        Duration transactionTimeout = values.given().containsKey(LiveJobConfig.TRANSACTION_TIMEOUT.key())
                ? values.duration(LiveJobConfig.TRANSACTION_TIMEOUT)
                : null;
        if (transactionTimeout != null && transactionTimeout.compareTo(interval.multipliedBy(2)) < 0) {
            throw values.wrong(
                    LiveJobConfig.TRANSACTION_TIMEOUT,
                    "must be at least twice --checkpoint-interval, or Kafka gives up what no checkpoint has committed"
                            + " yet");
        }
        int maxParallelism = (int) values.integer(LiveJobConfig.MAX_PARALLELISM, 1, MAX_KEY_GROUPS);
        Duration waitLimit = values.duration(LiveJobConfig.WAIT_LIMIT);
        if (waitLimit.compareTo(SHORTEST_INTERVAL) < 0) {
            throw values.wrong(LiveJobConfig.WAIT_LIMIT, "must be at least 100ms");
        }
        Topology topology = values.read(LiveJobConfig.TOPOLOGY, Topology::of);
        int parallelism = (int) values.integer(LiveJobConfig.PARALLELISM, 1, MAX_KEY_GROUPS);
        int assigners = (int) values.integer(LiveJobConfig.ASSIGNERS, 1, MAX_KEY_GROUPS);
        String kindLabel = values.read(LiveJobConfig.KIND, label -> label);
        String algorithm = values.read(LiveJobConfig.ALGORITHM, name -> name.isEmpty() ? Algorithms.CUTWATER : name);
        PartitioningKind kind = values.read(LiveJobConfig.KIND, label -> Algorithms.kindOf(algorithm, label));
        PartitionerOptions partitioner = PlacementOptions.parse(values, kind, algorithm);
        SpreadOptions spread = topology.spread(partitioner, maxParallelism, parallelism, assigners);
        KeptEdgeOptions kept = new KeptEdgeOptions(values, spread != null);
        RecordFormat eventFormat = RecordFormatOptions.parse(values.given());
        kept.require(eventFormat);
        double ownBudget = kept.ownBudget();
        StartPlaces startFrom =
                values.read(LiveJobConfig.START_FROM, path -> path.isEmpty() ? null : StartPlaces.parse(path));
        boolean bootstraps = values.read(
                LiveJobConfig.BOOTSTRAP,
                value -> PlacementOptions.bootstraps(startFrom == null ? value : NOW, partitioner));
        if (bootstraps && eventFormat.hasKeys()) {
            throw values.wrong(
                    LiveJobConfig.EDGE_KEY,
                    "is for topics that are read live from their beginning; omit --bootstrap and --start-from");
        }
        if (startFrom != null && !bootstraps) {
            throw values.wrong(
                    LiveJobConfig.START_FROM,
                    "needs an algorithm that continues after a bootstrap, and %s does not; choose --algorithm cutwater"
                            .formatted(partitioner.algorithm()));
        }
        History history = bootstraps
                ? values.read(
                        LiveJobConfig.BOOTSTRAP,
                        value -> value.isEmpty() || value.equals(NOW) ? null : History.parse(value))
                : null;
        boolean isSeenByOne = eventFormat.textIds() != null || kept.removesVertices() || kept.expiry() != null;
        BootstrapParts parts =
                BootstrapParts.parse(values, partitioner, bootstraps, history, startFrom, isSeenByOne, spread);
        // Named, so that a job which goes on with other options keeps it; and the schema, for processes without the
        // file.
        Map<String, String> named = new TreeMap<>(values.given());
        named.put(LiveJobConfig.ALGORITHM.key(), partitioner.algorithm());
        named.putAll(RecordFormatOptions.embedded(named));
        return new LiveJobOptions(
                values.servers(LiveJobConfig.BOOTSTRAP_SERVERS),
                values.read(LiveJobConfig.KAFKA_PROPERTIES, LiveJobOptions::client),
                values.read(LiveJobConfig.TOPIC_PREFIX, Topics::new),
                eventFormat,
                values.offsets(LiveJobConfig.START_OFFSETS),
                partitioner,
                bootstraps,
                history,
                parts.threads(),
                parts.tasks(),
                startFrom,
                kept.areKept(),
                kept.removesVertices(),
                kept.expiry(),
                kept.refinement(partitioner),
                ownBudget,
                values.bytes(LiveJobConfig.CACHE_SIZE),
                waitLimit,
                interval,
                transactionTimeout,
                maxParallelism,
                spread,
                values.read(LiveJobConfig.CHECKPOINT_DIR, LiveJobOptions::folder),
                values.flag(LiveJobConfig.VERTEX_DATA),
                values.flag(LiveJobConfig.ACCEPT_LOSS),
                values.flag(LiveJobConfig.ACCEPT_NEW_TOPIC),
                LostRecords.of(values.flag(LiveJobConfig.REPLAY_LOST), values.flag(LiveJobConfig.ACCEPT_LOSS)),
                Map.copyOf(named));
    }

    /** Returns these options with the history that is placed in bulk. */
    public LiveJobOptions withHistory(History fixed) {
        Map<String, String> changed = new TreeMap<>(arguments);
        changed.put(LiveJobConfig.BOOTSTRAP.key(), fixed.toString());
        changed.put(LiveJobConfig.BOOTSTRAP_TASKS.key(), Integer.toString(bootstrapTasks));
        return of(changed);
    }

    /** Returns these options with the digest of the places that the job takes over, if it does. */
    public LiveJobOptions withFixedStart() throws IOException {
        if (startFrom == null) {
            return this;
        }
        Map<String, String> changed = new TreeMap<>(arguments);
        changed.put(LiveJobConfig.START_FROM.key(), startFrom.fixed().toString());
        return of(changed);
    }

    /** Returns the number of tasks that hold vertices. */
    public int parallelism() {
        return spread == null ? 1 : spread.tables();
    }

    /** Returns the number of tasks that place edges. */
    public int assigners() {
        return spread == null ? 1 : spread.assigners();
    }

    private static Map<String, String> client(String file) {
        if (file.isEmpty()) {
            return Map.of();
        }
        if (!Path.of(file).isAbsolute()) {
            throw new IllegalArgumentException(
                    "it must be an absolute path, at which every process of the Flink cluster has the file: '%s'"
                            .formatted(file));
        }
        return ClientPropertiesFile.references(Path.of(file));
    }

    private static String folder(String uri) {
        if (!uri.isEmpty() && !uri.matches("[a-zA-Z][a-zA-Z0-9+.-]*:/.*|/.*")) {
            throw new IllegalArgumentException(
                    "it must be a folder that every process of the cluster can reach, such as file:///checkpoints or"
                            + " s3://bucket/checkpoints: '%s'".formatted(uri));
        }
        return uri;
    }
}
