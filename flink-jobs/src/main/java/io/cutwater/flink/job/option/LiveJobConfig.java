package io.cutwater.flink.job.option;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.cutwater.flink.job.topology.Topology;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.state.algorithm.Algorithms;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.MemorySize;

/** Declarations of the live job's options: key, type, default and description. */
final class LiveJobConfig {
    static final ConfigOption<String> BOOTSTRAP_SERVERS = key("bootstrap-servers")
            .stringType()
            .noDefaultValue()
            .withDescription("Kafka brokers, separated by commas.");

    static final ConfigOption<String> KAFKA_PROPERTIES = key(LiveJobOptions.KAFKA_PROPERTIES)
            .stringType()
            .noDefaultValue()
            .withDescription("File of Kafka client properties, at the same path on every process of the cluster.");

    static final ConfigOption<String> TOPIC_PREFIX = key("topic-prefix")
            .stringType()
            .defaultValue("")
            .withDescription("Prefix of the names of all topics of this graph.");

    static final ConfigOption<String> EVENT_FORMAT = key(RecordFormatOptions.EVENT_FORMAT)
            .stringType()
            .defaultValue("csv")
            .withDescription(
                    "Format of records that name none: csv, json, binary, batch, avro, protobuf, debezium-json or debezium-avro.");

    static final ConfigOption<String> SOURCE = key("source")
            .stringType()
            .defaultValue("")
            .withDescription(
                    "Field with the source vertex, such as after.payer, of JSON, Avro, Protobuf or Debezium records.");

    static final ConfigOption<String> TARGET =
            key("target").stringType().defaultValue("").withDescription("Field with the target vertex.");

    static final ConfigOption<String> WEIGHT =
            key("weight").stringType().defaultValue("").withDescription("Field with the weight of the edge.");

    static final ConfigOption<String> TIMESTAMP =
            key("timestamp").stringType().defaultValue("").withDescription("Field with the timestamp of the edge.");

    static final ConfigOption<String> EDGE_KEY = key(RecordFormatOptions.EDGE_KEY)
            .stringType()
            .defaultValue("")
            .withDescription(
                    "Field that names the edge, or :key for the record's key: a record with the same replaces the edge.");

    static final ConfigOption<String> IDS = key(RecordFormatOptions.IDS)
            .stringType()
            .defaultValue("integer")
            .withDescription("Type of vertex ids: integer, or text, which is hashed and kept in topic ids.");

    static final ConfigOption<Long> IDS_SEED = key(RecordFormatOptions.IDS_SEED)
            .longType()
            .defaultValue(0L)
            .withDescription("Seed of the hashes of text ids; jobs with the same seed give a text the same id.");

    static final ConfigOption<String> AVRO_SCHEMA = key(RecordFormatOptions.AVRO_SCHEMA)
            .stringType()
            .defaultValue("")
            .withDescription("File with the schema of Avro records, as JSON (.avsc).");

    static final ConfigOption<String> DESCRIPTOR = key(RecordFormatOptions.DESCRIPTOR)
            .stringType()
            .defaultValue("")
            .withDescription("File with the types of Protobuf records, as protoc --descriptor_set_out writes it.");

    static final ConfigOption<String> MESSAGE = key(RecordFormatOptions.MESSAGE)
            .stringType()
            .defaultValue("")
            .withDescription("Name of the type of Protobuf records, if their schema has several.");

    static final ConfigOption<String> SCHEMA_REGISTRY = key(RecordFormatOptions.SCHEMA_REGISTRY)
            .stringType()
            .defaultValue("")
            .withDescription("URL of a schema registry (Confluent's API, or Apicurio's), by which records are read.");

    static final ConfigOption<String> REGISTRY_PROPERTIES = key(RecordFormatOptions.REGISTRY_PROPERTIES)
            .stringType()
            .defaultValue("")
            .withDescription(
                    "File with credentials and keys for the registry, at the same path on every process of the cluster.");

    static final ConfigOption<String> ON_TRUNCATE = key("on-truncate")
            .stringType()
            .defaultValue("fail")
            .withDescription(
                    "What the job does when Debezium reports a truncated table: fail, ignore it, or remove all edges.");

    static final ConfigOption<String> TOMBSTONES = key("tombstones")
            .stringType()
            .defaultValue("reject")
            .withDescription(
                    "Meaning of a record without a value, of rows without envelope: reject, ignore or remove.");

    static final ConfigOption<String> START_OFFSETS = key("start-offsets")
            .stringType()
            .defaultValue("")
            .withDescription("First offsets to read from topic edges. Other topic partitions begin at their start.");

    static final ConfigOption<Duration> TTL = key("ttl")
            .durationType()
            .noDefaultValue()
            .withDescription("Remove each edge after this time, such as 30d: the graph is a sliding window.");

    static final ConfigOption<String> TTL_FROM = key("ttl-from")
            .stringType()
            .defaultValue("arrival")
            .withDescription(
                    "Beginning of that time: arrival of the edge, or its timestamp since 1970 in s, ms, us or ns.");

    static final ConfigOption<String> BOOTSTRAP = key("bootstrap")
            .stringType()
            .defaultValue("")
            .withDescription("Place the history of topic edges in bulk first, then go on live behind it.");

    static final ConfigOption<Integer> BOOTSTRAP_THREADS = key("bootstrap-threads")
            .intType()
            .defaultValue(1)
            .withDescription(
                    "Threads of the bulk passes of cutwater over the history, which change its places a little.");

    static final ConfigOption<String> BOOTSTRAP_TASKS = key("bootstrap-tasks")
            .stringType()
            .defaultValue("")
            .withDescription("Tasks that read and place the history together. Default: --parallelism, with cutwater");

    static final ConfigOption<String> START_FROM = key("start-from")
            .stringType()
            .defaultValue("")
            .withDescription(
                    "Take over a partitioning: an output folder, lines 'u v partition', or a METIS .part file.");

    static final ConfigOption<Boolean> VERTEX_DATA = key("vertex-data")
            .booleanType()
            .defaultValue(false)
            .withDescription("Read topic vertices, and add features, labels and split to the shards.");

    static final ConfigOption<Integer> PARTITIONS =
            key("partitions").intType().noDefaultValue().withDescription("Number of partitions, 1 to 4096.");

    static final ConfigOption<String> ALGORITHM =
            key("algorithm").stringType().defaultValue("").withDescription("Name of the algorithm. Default: cutwater");

    static final ConfigOption<String> KIND = key("kind")
            .stringType()
            .defaultValue("")
            .withDescription("Partition edges (vertex cut) or vertices (edge cut). Default: by the algorithm");

    static final ConfigOption<Long> SEED = key("seed")
            .longType()
            .defaultValue(Algorithms.DEFAULT_SEED)
            .withDescription("Seed of hashes and random choices.");

    static final ConfigOption<String> SET = key("set")
            .stringType()
            .defaultValue("")
            .withDescription("Setting of the algorithm, such as lambda=1.1 of hdrf. May be repeated.");

    static final ConfigOption<String> BUFFER_SIZE = key("buffer-size")
            .stringType()
            .defaultValue("")
            .withDescription(
                    "Place this many edges of an assigner together, such as 1000000, or what this memory holds, such as 128m.");

    static final ConfigOption<Boolean> KEEP_EDGES = key("keep-edges")
            .booleanType()
            .defaultValue(false)
            .withDescription("Keep every edge in state, which removals and re-partitioning need.");

    static final ConfigOption<Boolean> REMOVE_VERTICES = key("remove-vertices")
            .booleanType()
            .defaultValue(false)
            .withDescription(
                    "Accept records that remove a vertex with its edges and data, which are found by both ends.");

    static final ConfigOption<String> AUTO_REPARTITION = key("auto-repartition")
            .stringType()
            .defaultValue("0")
            .withDescription("Re-partition when quality drops, moving this share of the edges at most.");

    static final ConfigOption<String> REFINE = key("refine")
            .stringType()
            .defaultValue("")
            .withDescription(
                    "Move edges, this share of those that come at most. Default in one task: 100%, edges without a buffer 10%");

    static final ConfigOption<MemorySize> CACHE_SIZE = key("cache-size")
            .memoryType()
            .defaultValue(MemorySize.ofMebiBytes(256))
            .withDescription("Heap memory for vertex state in front of RocksDB.");

    // Shards are committed with checkpoints, so an edge is delayed by at most one checkpoint interval.
    static final ConfigOption<Duration> WAIT_LIMIT = key("wait-limit")
            .durationType()
            .defaultValue(Duration.ofSeconds(10))
            .withDescription("Longest time that an edge is buffered before it is placed.");

    static final ConfigOption<Duration> CHECKPOINT_INTERVAL = key("checkpoint-interval")
            .durationType()
            .defaultValue(Duration.ofSeconds(10))
            .withDescription("Time between checkpoints, with which shards are committed.");

    static final ConfigOption<String> CHECKPOINT_DIR = key("checkpoint-dir")
            .stringType()
            .defaultValue("")
            .withDescription("Folder of checkpoints that every process can reach. Default: that of the cluster");

    static final ConfigOption<Duration> TRANSACTION_TIMEOUT = key("transaction-timeout")
            .durationType()
            .noDefaultValue()
            .withDescription(
                    "Time after which Kafka aborts what is not committed. Default: the broker's maximum, or a day");

    static final ConfigOption<Integer> MAX_PARALLELISM = key("max-parallelism")
            .intType()
            .defaultValue(128)
            .withDescription("Upper bound of the parallelism when the job is rescaled.");

    static final ConfigOption<Integer> PARALLELISM =
            key("parallelism").intType().defaultValue(1).withDescription("Tasks that hold vertex state.");

    static final ConfigOption<Integer> ASSIGNERS = key("assigners")
            .intType()
            .defaultValue(1)
            .withDescription("Tasks that place edges; with more than one the output is not deterministic.");

    static final ConfigOption<String> TOPOLOGY = key("topology")
            .stringType()
            .defaultValue(Topology.AUTO.toString())
            .withDescription("fused (one task), distributed, or auto: fused if one task is enough.");

    static final ConfigOption<Boolean> REPLAY_LOST = key(LiveJobOptions.REPLAY_LOST)
            .booleanType()
            .defaultValue(false)
            .withDescription("Write records again that the state counts as written and Kafka has aborted.");

    static final ConfigOption<Boolean> ACCEPT_LOSS = key(LiveJobOptions.ACCEPT_LOSS)
            .booleanType()
            .defaultValue(false)
            .withDescription("Go on although records of the topics are lost; the log of the job names them.");

    static final ConfigOption<Boolean> ACCEPT_NEW_TOPIC = key(LiveJobOptions.ACCEPT_NEW_TOPIC)
            .booleanType()
            .defaultValue(false)
            .withDescription("Go on in another topic of the same name, from its start or --start-offsets.");

    /** Every option. */
    static final List<ConfigOption<?>> ALL = List.of(
            BOOTSTRAP_SERVERS,
            KAFKA_PROPERTIES,
            TOPIC_PREFIX,
            EVENT_FORMAT,
            SOURCE,
            TARGET,
            WEIGHT,
            TIMESTAMP,
            EDGE_KEY,
            IDS,
            IDS_SEED,
            AVRO_SCHEMA,
            DESCRIPTOR,
            MESSAGE,
            SCHEMA_REGISTRY,
            REGISTRY_PROPERTIES,
            ON_TRUNCATE,
            TOMBSTONES,
            START_OFFSETS,
            TTL,
            TTL_FROM,
            BOOTSTRAP,
            BOOTSTRAP_THREADS,
            BOOTSTRAP_TASKS,
            START_FROM,
            VERTEX_DATA,
            PARTITIONS,
            ALGORITHM,
            KIND,
            SEED,
            SET,
            BUFFER_SIZE,
            KEEP_EDGES,
            REMOVE_VERTICES,
            AUTO_REPARTITION,
            REFINE,
            CACHE_SIZE,
            WAIT_LIMIT,
            CHECKPOINT_INTERVAL,
            CHECKPOINT_DIR,
            TRANSACTION_TIMEOUT,
            MAX_PARALLELISM,
            PARALLELISM,
            ASSIGNERS,
            TOPOLOGY,
            REPLAY_LOST,
            ACCEPT_LOSS,
            ACCEPT_NEW_TOPIC);

    private LiveJobConfig() {}
}
