package io.cutwater.flink.connector.feedback;

import io.cutwater.flink.operator.distributed.UpdateSource;
import io.cutwater.flink.types.OperatorId;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.vertex.VertexUpdateCodec;
import io.cutwater.state.feedback.VertexUpdate;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The feedback loop over Kafka: a sink after the assigners, and the source of the vertex tables. Neither is
 * transactional, and no checkpoint contains their positions: sequence numbers make the loop exactly-once.
 */
public final class LoopTopic implements UpdateSource {
    private static final long serialVersionUID = 1;
    /** Time without a record after which the reader asks the broker whether the topic exists. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** Limit for the answer: that of Kafka's producer, after which the sink fails as well. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Tables that plan wait for each other's messages some thousand times. */
    private static final int PEERS_LINGER_MILLIS = 2;

    private final LoopOptions options;
    private final long loop = UUID.randomUUID().getMostSignificantBits();
    private final Duration silence;
    private final Duration patience;

    public LoopTopic(LoopOptions options) {
        this(options, SILENCE, PATIENCE);
    }

    LoopTopic(LoopOptions options, Duration silence, Duration patience) {
        this.options = options;
        this.silence = silence;
        this.patience = patience;
    }

    /** Sends updates to the topic, those of each bucket in order. */
    public void attach(DataStream<VertexUpdate> updates, int buckets, int parallelism) {
        attach(updates, buckets, parallelism, OperatorId.sink(options.topic()), parallelism == 1 ? 50 : 10);
    }

    /** Sends messages between the vertex tables to the topic. */
    public void attachPeers(DataStream<VertexUpdate> messages, int buckets, int tables) {
        attach(messages, buckets, tables, OperatorId.peers(options.topic()), PEERS_LINGER_MILLIS);
    }

    private void attach(
            DataStream<VertexUpdate> updates, int buckets, int parallelism, OperatorId id, int lingerMillis) {
        KafkaSink<VertexUpdate> sink = KafkaSink.<VertexUpdate>builder()
                .setBootstrapServers(options.bootstrapServers())
                .setKafkaProducerConfig(producerProperties(lingerMillis))
                .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                .setRecordSerializer(new Records(options.topic(), buckets))
                .build();
        updates.sinkTo(sink).name(id.name()).uid(id.uid()).setParallelism(parallelism);
    }

    @Override
    public LoopSender sender(int buckets, Consumer<IOException> failed) throws IOException {
        Properties properties = producerProperties(PEERS_LINGER_MILLIS);
        properties.setProperty(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, options.bootstrapServers());
        return new LoopSender(properties, options.topic(), buckets, failed);
    }

    @Override
    public long loop() {
        return loop;
    }

    private Properties producerProperties(int lingerMillis) {
        Properties properties = new Properties();
        properties.putAll(options.properties());
        properties.setProperty(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        // With more, a topic partition that opens between the first two batches of a new topic refuses the earlier one
        // for ever.
        properties.setProperty(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
        // Caches are as stale as the loop is slow; but one assigner always knows what it has done itself.
        properties.setProperty(ProducerConfig.LINGER_MS_CONFIG, Integer.toString(lingerMillis));
        properties.setProperty(ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(128 << 10));
        return properties;
    }

    private record Records(String topic, int buckets) implements KafkaRecordSerializationSchema<VertexUpdate> {
        @Override
        public ProducerRecord<byte[], byte[]> serialize(VertexUpdate update, KafkaSinkContext context, Long timestamp) {
            int topicPartition = VertexUpdateCodec.topicPartition(
                    update.bucket(), buckets, context.getPartitionsForTopic(topic).length);
            return new ProducerRecord<>(
                    topic, topicPartition, VertexUpdateCodec.key(update), VertexUpdateCodec.encode(update));
        }
    }

    @Override
    public Reader open(int first, int end, int buckets) {
        Map<String, Object> settings =
                new HashMap<>(ClientSettings.consumer(options.bootstrapServers(), options.properties()));
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1_000);
        // If a reader created a lost topic again, it would wait there for the lost records.
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings);
        try {
            int topicPartitions = consumer.partitionsFor(options.topic()).size();
            seekToEnd(consumer, first, end, buckets, topicPartitions);
            return new LoopReader(consumer, options.topic(), first, end, buckets, topicPartitions, silence, patience);
        } catch (RuntimeException e) {
            consumer.close();
            throw e;
        }
    }

    private void seekToEnd(
            KafkaConsumer<byte[], byte[]> consumer, int first, int end, int buckets, int topicPartitions) {
        if (topicPartitions == 0) {
            throw new IllegalStateException(
                    ("topic %s, which carries the vertex updates, does not exist; create it again, empty, with"
                                    + " any number of partitions, and the job restarts from its last checkpoint")
                            .formatted(options.topic()));
        }
        TreeSet<Integer> wanted = new TreeSet<>();
        for (int bucket = first; bucket < end; bucket++) {
            wanted.add(VertexUpdateCodec.topicPartition(bucket, buckets, topicPartitions));
        }
        List<TopicPartition> assigned = wanted.stream()
                .map(topicPartition -> new TopicPartition(options.topic(), topicPartition))
                .toList();
        consumer.assign(assigned);
        consumer.seekToEnd(assigned);
        // Seeking is lazy; asking for the position forces it.
        assigned.forEach(consumer::position);
    }
}
