package io.cutwater.kafka.topic;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Queries of the offsets of topics: their beginnings and ends, consistent across topic partitions where asked. Every
 * method throws {@link TopicMissingException} if there is no such topic.
 */
public final class OffsetAdmin {
    private static final Duration MARK_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration RETRY_WAIT = Duration.ofMillis(5);

    private final TopicAdmin topics;
    private final Admin admin;
    private final AdminAnswers answers;
    private final UnmarkedTransactions unmarked;

    OffsetAdmin(TopicAdmin topics, Admin admin, AdminAnswers answers) {
        this.topics = topics;
        this.admin = admin;
        this.answers = answers;
        unmarked = new UnmarkedTransactions(admin, answers);
    }

    /** Returns the first offset of each topic partition, by its number. */
    public Map<Integer, Long> beginnings(String topic) {
        return offsets(topic, OffsetSpec.earliest(), IsolationLevel.READ_COMMITTED);
    }

    /**
     * Returns the offset after the last committed record of each topic partition, by its number. It includes everything
     * that was committed before the call, and excludes the records after the first one of an open transaction.
     */
    public Map<Integer, Long> ends(String topic) {
        awaitMarks(List.of(topic));
        return committed(topic);
    }

    /**
     * Returns the ends of all topic partitions at one moment: either all records of a transaction lie before the ends,
     * or none. {@link #ends} may fall between the commit markers of two topic partitions.
     *
     * @throws BrokerException if commits move the ends for a minute without a pause
     */
    public Map<Integer, Long> consistentEnds(String topic) {
        return consistentEnds(List.of(topic)).get(0);
    }

    /** Returns the {@link #consistentEnds(String)} of several topics at one moment, in their order. */
    public List<Map<Integer, Long>> consistentEnds(List<String> topics) {
        long start = System.nanoTime();
        while (System.nanoTime() - start < AdminAnswers.TIMEOUT.toNanos()) {
            awaitMarks(topics);
            List<Map<Integer, Long>> ends = committed(topics);
            // A commit whose markers were in some topic partitions only is either still in progress here, or has moved
            // the ends of the others.
            if (unmarked.in(topics).isEmpty() && ends.equals(committed(topics))) {
                return ends;
            }
        }
        throw new BrokerException(
                "topic %s at %s was written without a pause for %d s, so no offsets between two commits were found; try again while less is written to it"
                        .formatted(
                                String.join(" or ", topics),
                                answers.bootstrapServers(),
                                AdminAnswers.TIMEOUT.toSeconds()));
    }

    private List<Map<Integer, Long>> committed(List<String> topics) {
        return topics.stream().map(this::committed).toList();
    }

    /**
     * Checks that a topic has the given offsets.
     *
     * @param option the option that named the offsets, for the message
     * @param offsets by topic partition; the offset after its last committed record is allowed
     * @throws BrokerException if the topic does not have one of them; the message is meant for users
     */
    public void require(String option, String topic, Map<Integer, Long> offsets) {
        Map<Integer, Long> first = beginnings(topic);
        Map<Integer, Long> ends = ends(topic);
        new TreeMap<>(offsets).forEach((topicPartition, offset) -> {
            long from = first.getOrDefault(topicPartition, Long.MAX_VALUE);
            long to = ends.getOrDefault(topicPartition, Long.MIN_VALUE);
            if (offset < from || offset > to) {
                throw new BrokerException("%s %d:%d is not in topic %s, which has %s"
                        .formatted(
                                option,
                                topicPartition,
                                offset,
                                topic,
                                from > to ? "no such topic partition" : "offsets %d to %d there".formatted(from, to)));
            }
        });
    }

    /**
     * Returns the offset of the first record or transaction marker written at a time or later in one topic partition;
     * empty if there is none yet.
     */
    public OptionalLong at(String topic, int topicPartition, Instant time) {
        TopicPartition asked = new TopicPartition(topic, topicPartition);
        long offset = answers.await(
                        "look for a time in topic " + topic,
                        admin.listOffsets(
                                        Map.of(asked, OffsetSpec.forTimestamp(time.toEpochMilli())),
                                        new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                                .partitionResult(asked))
                .offset();
        return offset < 0 ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    /**
     * Returns the offset after the last record of each topic partition, by its number, whether committed or not.
     * Everything that was committed before the call lies before it.
     */
    public Map<Integer, Long> written(String topic) {
        return offsets(topic, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    }

    // A commit returns before its markers are in the topic partitions; until they are, the end lies before its records.
    private void awaitMarks(List<String> topics) {
        long start = System.nanoTime();
        Set<String> pending = unmarked.in(topics);
        while (!pending.isEmpty() && System.nanoTime() - start < MARK_TIMEOUT.toNanos()) {
            LockSupport.parkNanos(RETRY_WAIT.toNanos());
            pending.retainAll(unmarked.in(topics));
        }
    }

    /** Returns the ends as the broker knows them now: commit markers may still be missing. */
    Map<Integer, Long> committed(String topic) {
        return offsets(topic, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }

    private Map<Integer, Long> offsets(String topic, OffsetSpec spec, IsolationLevel isolation) {
        int count = topics.partitionCount(topic);
        Map<TopicPartition, OffsetSpec> request = new HashMap<>();
        for (int topicPartition = 0; topicPartition < count; topicPartition++) {
            request.put(new TopicPartition(topic, topicPartition), spec);
        }
        Map<TopicPartition, ListOffsetsResultInfo> answer = answers.await(
                "read the offsets of topic " + topic,
                admin.listOffsets(request, new ListOffsetsOptions(isolation)).all());
        Map<Integer, Long> offsets = new TreeMap<>();
        answer.forEach((topicPartition, info) -> offsets.put(topicPartition.partition(), info.offset()));
        return offsets;
    }
}
