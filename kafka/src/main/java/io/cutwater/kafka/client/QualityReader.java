package io.cutwater.kafka.client;

import io.cutwater.kafka.record.ReportJson;
import io.cutwater.kafka.record.RunReport;
import io.cutwater.kafka.topic.BrokerException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what a job has reported last. */
public final class QualityReader {
    /** Reports come once a second, and each commit leaves a mark among them. */
    private static final long TAIL = 100;

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
        byte[][] last = new byte[1][];
        reader.readTail(topic, TAIL, record -> last[0] = record.value());
        if (last[0] == null) {
            return null;
        }
        try {
            return ReportJson.read(last[0]);
        } catch (IllegalArgumentException e) {
            throw new BrokerException(
                    "topic %s does not end with a report: %s; check --topic-prefix".formatted(topic, e.getMessage()),
                    e);
        }
    }
}
