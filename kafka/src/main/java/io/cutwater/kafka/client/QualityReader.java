package io.cutwater.kafka.client;

import io.cutwater.kafka.record.ReportJson;
import io.cutwater.kafka.record.RunReport;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.TopicMissingException;
import io.cutwater.kafka.topic.Topics;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what a job has reported last. */
public final class QualityReader {
    /** A commit leaves a report and its mark at the end; behind it may be what a dead job wrote. */
    private static final long FIRST_LOOK = 8;

    private static final long NEXT_LOOK = 32;
    /** The largest that a look from the end has; the next one is at the whole topic. */
    private static final long LONGEST_LOOK = 1 << 18;

    private final TopicReader reader;

    /** @param properties further client properties, such as those of TLS */
    public QualityReader(String bootstrapServers, Map<String, ?> properties) {
        reader = new TopicReader(bootstrapServers, properties);
    }

    /**
     * The last committed report of the job that writes these topics: that of topic {@code report}, which keeps it for
     * ever, or of a job of an earlier build the last one of topic {@code quality}; null if there is none.
     *
     * @throws BrokerException with one sentence if a topic cannot be read or ends with something else than reports
     */
    public @Nullable RunReport last(Topics topics) {
        RunReport newest;
        try {
            newest = last(topics.report());
        } catch (TopicMissingException e) {
            newest = null;
        }
        return newest == null ? last(topics.quality()) : newest;
    }

    private @Nullable RunReport last(String topic) {
        byte[] last = null;
        for (long look = FIRST_LOOK; last == null && look <= LONGEST_LOOK; look *= NEXT_LOOK) {
            last = last(topic, look);
        }
        if (last == null) {
            last = last(topic, Long.MAX_VALUE);
        }
        if (last == null) {
            return null;
        }
        try {
            return ReportJson.read(last);
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
