package io.cutwater.flink.connector.topic;

import io.cutwater.flink.connector.lineage.Datasets;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumStateSerializer;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.api.lineage.LineageVertexProvider;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads a topic, committed records only: unbounded and with topic partitions that are added later, or a range of
 * offsets. Flink's Kafka source would continue at the beginning of what is left when the offsets of a checkpoint are
 * gone; this one fails.
 */
public final class TopicSource<T>
        implements Source<T, TopicSplit, KafkaSourceEnumState>, ResultTypeQueryable<T>, LineageVertexProvider {
    private static final long serialVersionUID = 1;
    private static final String DISCOVERY_MILLIS = "10000";
    private static final String GROUP = "cutwater";

    /** Gauge of the accepted offsets that were deleted before they were read. */
    static final String LOST = "lostOffsets";

    private final TopicSourceOptions topic;
    private final @Nullable HashMap<Integer, Long> until;
    private final KafkaRecordDeserializationSchema<T> records;

    private TopicSource(
            TopicSourceOptions topic, @Nullable Map<Integer, Long> until, KafkaRecordDeserializationSchema<T> records) {
        this.topic = topic;
        this.until = until == null ? null : new HashMap<>(until);
        this.records = records;
    }

    /** Creates an unbounded source; a restored job continues from the offsets of its checkpoint. */
    public static <T> TopicSource<T> live(TopicSourceOptions topic, KafkaRecordDeserializationSchema<T> records) {
        return new TopicSource<>(topic, null, records);
    }

    /** Creates a source of the range from the topic's first offsets to others of the same topic partitions. */
    public static <T> TopicSource<T> bounded(
            TopicSourceOptions topic, Map<Integer, Long> until, KafkaRecordDeserializationSchema<T> records) {
        return new TopicSource<>(topic, until, records);
    }

    private KafkaSource<T> kafka(KafkaRecordDeserializationSchema<T> deserializer, Properties properties) {
        Map<TopicPartition, Long> from = offsets(topic.from());
        KafkaSourceBuilder<T> builder = KafkaSource.<T>builder()
                .setBootstrapServers(topic.bootstrapServers())
                .setStartingOffsets(new NamedOffsets(from))
                .setDeserializer(deserializer);
        if (until == null) {
            builder.setTopics(topic.name());
            properties.setProperty(KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(), DISCOVERY_MILLIS);
        } else {
            builder.setPartitions(new HashSet<>(from.keySet())).setBounded(OffsetsInitializer.offsets(offsets(until)));
        }
        return builder.setProperties(properties).build();
    }

    /** Returns the settings of a client that skips records of aborted transactions. */
    private Properties committedOnly() {
        Properties properties = new Properties();
        properties.putAll(topic.properties());
        properties.setProperty(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        return properties;
    }

    private Map<TopicPartition, Long> offsets(Map<Integer, Long> byPartition) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        byPartition.forEach((partition, offset) -> offsets.put(new TopicPartition(topic.name(), partition), offset));
        return offsets;
    }

    @Override
    public Boundedness getBoundedness() {
        return until == null ? Boundedness.CONTINUOUS_UNBOUNDED : Boundedness.BOUNDED;
    }

    @Override
    public LineageVertex getLineageVertex() {
        return Datasets.topic(topic.bootstrapServers(), topic.name()).read(getBoundedness());
    }

    @Override
    public SplitEnumerator<TopicSplit, KafkaSourceEnumState> createEnumerator(
            SplitEnumeratorContext<TopicSplit> context) {
        return enumerator(context, null, Function.identity(), Function.identity());
    }

    @Override
    public SplitEnumerator<TopicSplit, KafkaSourceEnumState> restoreEnumerator(
            SplitEnumeratorContext<TopicSplit> context, KafkaSourceEnumState state) {
        return enumerator(context, state, Function.identity(), Function.identity());
    }

    /**
     * Creates the enumerator of a source whose splits include topic partitions of this one.
     *
     * @param state of a checkpoint; null for none
     * @param wrap converts a topic partition into a split of the other source
     * @param unwrap returns the topic partition of a split; null if it has none
     */
    public <S extends SourceSplit> SplitEnumerator<S, KafkaSourceEnumState> enumerator(
            SplitEnumeratorContext<S> context,
            @Nullable KafkaSourceEnumState state,
            Function<TopicSplit, S> wrap,
            Function<S, @Nullable TopicSplit> unwrap) {
        return KafkaEnumerator.of(
                kafka(records, committedOnly()),
                context,
                state,
                topicPartition -> wrap.apply(TopicSplit.fresh(topicPartition)),
                split -> {
                    TopicSplit topicPartition = unwrap.apply(split);
                    return topicPartition == null ? null : topicPartition.place();
                });
    }

    @Override
    public TopicSourceReader<T> createReader(SourceReaderContext context) throws IOException {
        ReadPositions positions = new ReadPositions();
        TopicGuard guard = new TopicGuard(topic, context.metricGroup());
        context.metricGroup().addGroup(GROUP).gauge(LOST, guard::lost);
        Properties properties = committedOnly();
        positions.register(properties);
        try {
            return new TopicSourceReader<>(
                    kafka(new MarkingDeserializer<>(records, guard), properties).createReader(context),
                    guard,
                    positions);
        } catch (Exception e) {
            positions.close();
            throw new IOException("cannot read topic %s: %s".formatted(topic.name(), e.getMessage()), e);
        }
    }

    @Override
    public SimpleVersionedSerializer<TopicSplit> getSplitSerializer() {
        return new TopicSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
        return new KafkaSourceEnumStateSerializer();
    }

    @Override
    public TypeInformation<T> getProducedType() {
        return records.getProducedType();
    }
}
