package io.cutwater.kafka.event;

import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.state.graph.EdgeBatch;
import java.util.Map;

/** Reads the newest committed edges of a topic. */
public final class EdgeTopicTail {
    private static final long FIRST_LOOK = 1 << 10;
    private static final int NEXT_LOOK = 16;

    private final TopicReader reader;
    private final RecordFormat unnamed;

    /**
     * @param properties further client properties, such as those of TLS
     * @param unnamed format of the records without a header that names one
     */
    public EdgeTopicTail(String bootstrapServers, Map<String, ?> properties, RecordFormat unnamed) {
        reader = new TopicReader(bootstrapServers, properties);
        this.unnamed = unnamed;
    }

    /**
     * Reads the records at the ends of all topic partitions, as many as hold the given number of edges; in the order of
     * each topic partition.
     *
     * @param edges wanted number, at least 1
     * @return at least so many edges, or all of the topic if it has fewer; with its removals and its malformed records
     * @throws io.cutwater.kafka.topic.BrokerException if the topic cannot be read
     */
    public EdgeBatch read(String topic, long edges) {
        long before = -1;
        for (long look = FIRST_LOOK; ; look *= NEXT_LOOK) {
            EdgeBatch batch = new EdgeBatch();
            EdgeRecordDecoder decoder = new EdgeRecordDecoder(unnamed, null, true);
            long records = reader.readTail(topic, look, record -> decoder.decode(record, batch));
            if (batch.size() >= edges || records == before) {
                return batch;
            }
            before = records;
        }
    }
}
