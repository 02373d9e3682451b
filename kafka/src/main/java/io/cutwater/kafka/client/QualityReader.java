package io.cutwater.kafka.client;

import io.cutwater.kafka.record.ReportJson;
import io.cutwater.kafka.record.RunReport;
import io.cutwater.kafka.topic.BrokerException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what a job has reported last. */
public final class QualityReader {
    /** Reports come once a second, and each commit leaves a mark among them. */
    private static final long USUAL_TAIL = 100;
    /** Behind the last committed one may be as many as a dead job made between two checkpoints. */
    private static final long LONG_TAIL = 100_000;

    private final TopicReader reader;

    /** @param properties further client properties, such as those of TLS */
    public QualityReader(String bootstrapServers, Map<String, ?> properties) {
        reader = new TopicReader(bootstrapServers, properties);
    }

    /**
     * The last committed report; null if there is none.
     *
     * @throws BrokerException with one sentence if the topic cannot be read or ends with something else than reports
     */
    public @Nullable RunReport last(String topic) {
        byte[] last = last(topic, USUAL_TAIL);
        if (last == null) {
            last = last(topic, LONG_TAIL);
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
