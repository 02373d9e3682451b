package io.cutwater.flink.types;

import java.util.List;
import java.util.stream.Stream;

/**
 * Name and uid of every operator that has state or that Flink shows by name. A uid never changes: savepoints find the
 * state by it. Names appear in Flink's web page, its REST answers and the labels of metrics.
 */
public record OperatorId(String name, String uid) {
    /** Before the uid of a sink, that of its committer. */
    private static final String FLINKS_COMMITTER = "Sink Committer: ";

    public static final OperatorId EDGE_FILES = new OperatorId("edge files", "edge-files");
    public static final OperatorId CUT_BATCHES = new OperatorId("cut batches", "cut-batches");
    public static final OperatorId DROP_DUPLICATES = new OperatorId("drop duplicates", "drop-duplicates");
    public static final OperatorId EDGE_KEYS = new OperatorId("edge keys", "edge-keys");
    public static final OperatorId VERTEX_EDGES = new OperatorId("edges of vertices", "vertex-edges");
    public static final OperatorId EXPIRE_EDGES = new OperatorId("expire edges", "expire-edges");
    public static final OperatorId TEXT_IDS = new OperatorId("text ids", "text-ids");
    public static final OperatorId BOOTSTRAP = new OperatorId("bulk passes then live", "bootstrap");
    public static final OperatorId COUNT_LEFT_OUT = new OperatorId("count what is left out", "count-duplicates");
    /** The assigner that holds the vertices itself. */
    public static final OperatorId ASSIGN_EDGES = new OperatorId("assign edges", "assign-edges");
    /** Vertex tables have the uid, and the keyed state, of the assigner that held the vertices itself. */
    public static final OperatorId VERTEX_TABLE = new OperatorId("vertex table", ASSIGN_EDGES.uid());

    public static final OperatorId ASK_VIEWS = new OperatorId("ask for views", "ask-views");
    /** The assigners whose vertices are in other tasks. */
    public static final OperatorId ASSIGN_BATCHES = new OperatorId("assign batches", "assign-batches");

    /** Has the state that assigners in several tasks have left for one task. */
    public static final OperatorId HAND_OVER = new OperatorId("state of assigners", ASSIGN_BATCHES.uid());

    public static final OperatorId SUM_QUALITY = new OperatorId("sum quality", "sum-quality");
    public static final OperatorId VERTEX_DATA = new OperatorId("vertex data", "vertex-data");
    public static final OperatorId REPORTS = new OperatorId("reports", "reports");
    public static final OperatorId MARK_COMMITS = new OperatorId("mark commits", "mark-commits");
    public static final OperatorId FOLDER = new OperatorId("folder", "folder");
    public static final OperatorId LIVE_REPORT = new OperatorId("live report", "live-report");

    /** The source of topic {@code edges}. */
    public static OperatorId edgeTopic(String topic) {
        return new OperatorId(ofTopic(topic), "edge-topic");
    }

    /** The source of topic {@code commands}. */
    public static OperatorId commandTopic(String topic) {
        return new OperatorId(ofTopic(topic), "command-topic");
    }

    /** The source of topic {@code vertices}. */
    public static OperatorId vertexTopic(String topic) {
        return new OperatorId(ofTopic(topic), "vertex-topic");
    }

    /** The source that passes over the whole input before it hands out edges. */
    public static OperatorId bulkPasses(String name) {
        return new OperatorId(name, "bulk-passes");
    }

    /** The operator that fixes how many topic partitions the shards go to. */
    public static OperatorId shardTopicPartitions(String topic) {
        return new OperatorId("partitions of topic " + topic, "shard-topic-partitions");
    }

    /** The operator that puts that number into the reports. */
    public static OperatorId reportedTopicPartitions(String topic) {
        return new OperatorId("partitions of topic " + topic, "reported-topic-partitions");
    }

    /** The sink of messages between vertex tables. */
    public static OperatorId peers(String topic) {
        return new OperatorId("messages between tables to topic " + topic, "peers-" + topic);
    }

    /**
     * The operators that a distributed job with a topic for its loop has and a job of one task has not.
     *
     * @param removesVertices whether vertices can be removed
     */
    public static List<OperatorId> notOfOneTask(String loopTopic, boolean removesVertices) {
        String peers = peers(loopTopic).uid();
        String loop = sink(loopTopic).uid();
        Stream<String> uids =
                Stream.of(ASK_VIEWS.uid(), loop, FLINKS_COMMITTER + loop, peers, FLINKS_COMMITTER + peers);
        return Stream.concat(uids, removesVertices ? Stream.of(VERTEX_EDGES.uid()) : Stream.of())
                .map(uid -> new OperatorId("state of " + uid, uid))
                .toList();
    }

    /** The sink of a topic. */
    public static OperatorId sink(String topic) {
        return new OperatorId(ofTopic(topic), "topic-" + topic);
    }

    private static String ofTopic(String topic) {
        return "topic " + topic;
    }
}
