package io.cutwater.kafka.run;

import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicMissingException;
import io.cutwater.kafka.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ends of a job's topics at one of its checkpoints. Several writers commit their parts of a checkpoint one
 * after the other, each with a {@link CommitMark}, so the ends count only when the marks of all writers name the same
 * checkpoint. One writer without marks commits a checkpoint in one transaction.
 */
public final class CommittedEnds {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration RETRY_WAIT = Duration.ofMillis(20);
    /** A checkpoint leaves a mark and the marker of its transaction; aborted ones may follow. */
    private static final long LOOK = 64;

    private final TopicReader reader;
    private final Topics topics;
    private final Duration patience;

    /** @param properties further client properties, such as those of TLS */
    public CommittedEnds(String bootstrapServers, Map<String, ?> properties, Topics topics) {
        this(bootstrapServers, properties, topics, PATIENCE);
    }

    CommittedEnds(String bootstrapServers, Map<String, ?> properties, Topics topics, Duration patience) {
        reader = new TopicReader(bootstrapServers, properties);
        this.topics = topics;
        this.patience = patience;
    }

    /** Returns the ends of topic {@code shards}, see {@link #of(TopicAdmin, List)}. */
    public Map<Integer, Long> ofShards(TopicAdmin admin) {
        return of(admin, List.of(topics.shards())).get(0);
    }

    /**
     * Returns the ends of topics that the job writes shards, book or texts to, at one checkpoint.
     *
     * @param asked names of the topics
     * @return in their order, the offset after the last record of each topic partition, by its number
     * @throws BrokerException if the writers name no common checkpoint for a minute, as after a job that stopped
     *     between their commits, or as {@link io.cutwater.kafka.topic.OffsetAdmin#consistentEnds(List)} does
     */
    public List<Map<Integer, Long>> of(TopicAdmin admin, List<String> asked) {
        if (!hasMarks(admin)) {
            return admin.offsets().consistentEnds(asked);
        }
        List<String> all = new ArrayList<>(asked);
        all.add(topics.commits());
        long start = System.nanoTime();
        while (true) {
            List<Map<Integer, Long>> ends = admin.offsets().consistentEnds(all);
            Map<Integer, CommitMark> marks = marks(ends.get(asked.size()));
            String missing = missing(marks);
            if (missing == null) {
                return ends.subList(0, asked.size());
            }
            if (System.nanoTime() - start > patience.toNanos()) {
                throw new BrokerException(
                        "the shards of topic %s are not at one checkpoint: %s (topic %s); if the job runs, try again, otherwise resume it, so that it commits the rest"
                                .formatted(topics.shards(), missing, topics.commits()));
            }
            LockSupport.parkNanos(RETRY_WAIT.toNanos());
        }
    }

    private boolean hasMarks(TopicAdmin admin) {
        try {
            return admin.partitionCount(topics.commits()) > 0;
        } catch (TopicMissingException e) {
            return false;
        }
    }

    /** Returns the last mark before the end of each topic partition, by its number. */
    private Map<Integer, CommitMark> marks(Map<Integer, Long> ends) {
        Map<Integer, CommitMark> marks = new TreeMap<>();
        read(ends, LOOK, marks);
        // Of those whose last offsets are of transactions without a mark: aborted ones.
        Map<Integer, Long> unseen = new HashMap<>(ends);
        unseen.entrySet().removeIf(end -> end.getValue() <= LOOK || marks.containsKey(end.getKey()));
        if (!unseen.isEmpty()) {
            read(unseen, Long.MAX_VALUE, marks);
        }
        return marks;
    }

    private void read(Map<Integer, Long> ends, long look, Map<Integer, CommitMark> into) {
        Map<Integer, Long> begins = new HashMap<>();
        ends.forEach((topicPartition, end) -> begins.put(topicPartition, Math.max(0, end - look)));
        reader.read(topics.commits(), begins, ends, record -> {
            try {
                into.put(record.partition(), CommitMark.read(record.value()));
            } catch (IllegalArgumentException e) {
                throw new BrokerException(
                        "topic %s has something else than marks of commits: %s; check --topic-prefix"
                                .formatted(topics.commits(), e.getMessage()),
                        e);
            }
        });
    }

    /**
     * Returns what is missing of the checkpoint that the first writer names; null for nothing. Marks of more writers
     * are from before the job was rescaled.
     */
    private static @Nullable String missing(Map<Integer, CommitMark> marks) {
        CommitMark first = marks.get(0);
        if (first == null) {
            return marks.isEmpty() ? null : "writer 0 has committed none yet";
        }
        List<Integer> others = IntStream.range(0, first.writers())
                .filter(writer ->
                        !new CommitMark(first.checkpoint(), writer, first.writers()).equals(marks.get(writer)))
                .boxed()
                .toList();
        return others.isEmpty()
                ? null
                : "writer 0 of %d has committed checkpoint %d, and writers %s another one"
                        .formatted(first.writers(), first.checkpoint(), others);
    }
}
