package io.cutwater.kafka.topic;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The names of one graph's topics.
 *
 * @param prefix put before every name, so that several graphs share a cluster; may be empty
 */
public record Topics(String prefix) implements Serializable {
    private static final int MAX_SHARD_TOPIC_PARTITIONS = 32;
    private static final int BOOK_TOPIC_PARTITIONS = 4;
    private static final int MIN_LOOP_TOPIC_PARTITIONS = 4;
    /** Number of vertex tables beyond which several tables read the same topic partition. */
    private static final int MAX_LOOP_TOPIC_PARTITIONS = 32;
    /** Reports and dead letters are few. */
    private static final int ONE = 1;

    private static final String SHARDS = "shards";
    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{0,200}");

    public Topics {
        if (!LEGAL.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "--topic-prefix must be at most 200 letters, digits, '.', '_' and '-': '%s'".formatted(prefix));
        }
    }

    /** Anything → edge event. */
    public String edges() {
        return prefix + "edges";
    }

    /** Vertex → features, label, split. */
    public String vertices() {
        return prefix + "vertices";
    }

    /** Shard number → shard record. */
    public String shards() {
        return prefix + SHARDS;
    }

    /** Vertex → owner, replicas, cluster, degree. */
    public String partitionBook() {
        return prefix + "partition-book";
    }

    /** Vertex → text whose hash its id is. */
    public String ids() {
        return prefix + "ids";
    }

    /** Command → status of its re-partitioning. */
    public String plans() {
        return prefix + "plans";
    }

    /** Anything → command to the running job. */
    public String commands() {
        return prefix + "commands";
    }

    /** Submission of a job → its claim on the topics. */
    public String owner() {
        return prefix + "owner";
    }

    /** Writer → the checkpoint that it committed last; only of jobs whose shards several tasks write. */
    public String commits() {
        return prefix + "commits";
    }

    /** Vertex bucket → update batch; internal to the job. */
    public String vertexUpdates() {
        return prefix + "vertex-updates";
    }

    /** Job → its reports on the whole graph, a time series. */
    public String quality() {
        return prefix + "quality";
    }

    /** Job → its newest full report, which readers of the shards need, whatever its age. */
    public String report() {
        return prefix + "report";
    }

    /** Original key → original value, with the reason and origin as headers. */
    public String deadLetters() {
        return prefix + "dead-letters";
    }

    /** Bounded run → whether it has completed. */
    public String runs() {
        return prefix + "runs";
    }

    /** File → progress of its ingest. */
    public String ingestProgress() {
        return prefix + "ingest-progress";
    }

    /** Worker and round → weights. */
    public String modelUpdates() {
        return prefix + "model-updates";
    }

    /** Model → averaged weights. */
    public String models() {
        return prefix + "models";
    }

    /** Training → its rounds, a time series. */
    public String trainingRounds() {
        return prefix + "training-rounds";
    }

    /**
     * Returns the topics of the graph whose topic {@code shards} has this name; empty if the name is not that of such a
     * topic.
     *
     * @param shards name of a topic
     */
    public static Optional<Topics> ofShards(String shards) {
        return shards.endsWith(SHARDS)
                ? Optional.of(new Topics(shards.substring(0, shards.length() - SHARDS.length())))
                : Optional.empty();
    }

    /**
     * Returns how to create one of these topics.
     *
     * @param name a name that this object returned
     * @param topicPartitions at least 1
     */
    public TopicSpec spec(String name, int topicPartitions) {
        return new TopicSpec(name, topicPartitions, cleanup(name));
    }

    /**
     * Returns the topics that a job writes for its readers.
     *
     * @param shards the number of shards, at least 1
     */
    public List<TopicSpec> outputs(int shards) {
        return List.of(
                spec(shards(), Math.min(shards, MAX_SHARD_TOPIC_PARTITIONS)),
                spec(partitionBook(), BOOK_TOPIC_PARTITIONS),
                spec(quality(), ONE),
                spec(report(), ONE),
                spec(deadLetters(), ONE));
    }

    /** Returns the topic of the texts of vertices, of a job whose ids are hashes of text. */
    public TopicSpec texts() {
        return spec(ids(), BOOK_TOPIC_PARTITIONS);
    }

    /** Returns the topics for commands to a running job, its answers, and its ownership. */
    public List<TopicSpec> control() {
        // The order of commands matters.
        return List.of(spec(commands(), ONE), spec(plans(), ONE), spec(owner(), ONE));
    }

    /**
     * Returns the topic on which the tasks of a job communicate.
     *
     * @param tables the largest number of tasks that may ever read it, at least 1
     */
    public TopicSpec loop(int tables) {
        int wanted = Math.max(MIN_LOOP_TOPIC_PARTITIONS, tables);
        return spec(vertexUpdates(), Math.min(wanted, MAX_LOOP_TOPIC_PARTITIONS));
    }

    /**
     * Returns the topic on which the writers of the shards mark their commits, each in a topic partition of its own: an
     * open transaction hides what others have committed behind it.
     *
     * @param shardTopicPartitions of topic {@code shards}; more writers have nothing to write
     */
    public TopicSpec commitMarks(int shardTopicPartitions) {
        return spec(commits(), Math.min(shardTopicPartitions, MAX_SHARD_TOPIC_PARTITIONS));
    }

    private TopicSpec.Cleanup cleanup(String name) {
        if (!name.startsWith(prefix)) {
            throw new IllegalArgumentException("topic %s does not begin with the prefix '%s'".formatted(name, prefix));
        }
        return switch (name.substring(prefix.length())) {
            case SHARDS -> TopicSpec.Cleanup.NEVER;
            case "edges", "quality", "dead-letters", "commands", "training-rounds" -> TopicSpec.Cleanup.BY_TIME;
            case "vertices", "owner", "ingest-progress", "models", "runs" -> TopicSpec.Cleanup.COMPACTED;
            case "partition-book", "ids", "plans", "commits" -> TopicSpec.Cleanup.COMPACTED_LATE;
            case "report" -> TopicSpec.Cleanup.NEWEST;
            case "vertex-updates", "model-updates" -> TopicSpec.Cleanup.SHORT;
            default -> throw new IllegalArgumentException("topic %s is not a topic of a job".formatted(name));
        };
    }
}
