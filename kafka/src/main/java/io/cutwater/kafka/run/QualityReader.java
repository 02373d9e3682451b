package io.cutwater.kafka.run;

import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicMissingException;
import io.cutwater.kafka.topic.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Reads the latest report of a job. */
public final class QualityReader {
    /** A commit leaves a report and its marker at the end; records of a dead job may follow. */
    private static final long FIRST_LOOK = 8;

    private static final long NEXT_LOOK = 32;
    /** The longest look from the end; the next look is at the whole topic. */
    private static final long LONGEST_LOOK = 1 << 18;

    /** A commit becomes visible in one topic before the other. */
    private static final Duration COMMIT = Duration.ofSeconds(10);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final TopicReader reader;
    private final Duration patience;

    /** @param properties further client properties, such as those of TLS */
    public QualityReader(String bootstrapServers, Map<String, ?> properties) {
        this(bootstrapServers, properties, COMMIT);
    }

    /** @param patience how long to wait for the newest report of a series that is already committed */
    QualityReader(String bootstrapServers, Map<String, ?> properties, Duration patience) {
        reader = new TopicReader(bootstrapServers, properties);
        this.patience = patience;
    }

    /**
     * Reads the last committed report of the job that writes these topics: from topic {@code report}, which keeps it,
     * or from topic {@code quality} for a job of an earlier build; null if there is none.
     *
     * @throws BrokerException if a topic cannot be read, or does not end with reports
     */
    public @Nullable RunReport last(Topics topics) {
        long start = System.nanoTime();
        while (true) {
            byte[] newest = newest(topics.report());
            if (newest != null) {
                return report(topics.report(), newest);
            }
            byte[] ofSeries = last(topics.quality());
            if (ofSeries == null) {
                return null;
            }
            if (!ReportJson.isShort(ofSeries)) {
                return report(topics.quality(), ofSeries);
            }
            if (System.nanoTime() - start > patience.toNanos()) {
                throw new BrokerException(
                        "topic %s has reports, and topic %s, which keeps the newest as a whole, has none; was it deleted? The next checkpoint of the job writes it"
                                .formatted(topics.quality(), topics.report()));
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    private byte @Nullable [] newest(String topic) {
        try {
            return last(topic);
        } catch (TopicMissingException e) {
            return null;
        }
    }

    private byte @Nullable [] last(String topic) {
        byte[] last = null;
        for (long look = FIRST_LOOK; last == null && look <= LONGEST_LOOK; look *= NEXT_LOOK) {
            last = last(topic, look);
        }
        return last == null ? last(topic, Long.MAX_VALUE) : last;
    }

    private static RunReport report(String topic, byte[] bytes) {
        try {
            return ReportJson.read(bytes);
        } catch (IllegalArgumentException e) {
            throw new BrokerException(
                    "topic %s does not end with a report: %s; check --topic-prefix".formatted(topic, e.getMessage()),
                    e);
        }
    }

    private byte @Nullable [] last(String topic, long tail) {
        byte[][] last = new byte[1][];
        reader.readTail(topic, tail, record -> last[0] = record.value());
        return last[0];
    }
}
