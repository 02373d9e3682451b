package io.cutwater.flink.connector;

import io.cutwater.flink.stream.PartitionStreams;
import io.cutwater.flink.stream.RunIdentity;
import io.cutwater.flink.stream.ShardRecord;
import io.cutwater.flink.stream.StreamType;
import io.cutwater.kafka.topic.Topics;
import java.util.Properties;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.kafka.clients.producer.ProducerConfig;

/** A partitioning into topics: shards, book and dead letters in transactions, reports as they come. */
public final class TopicOutput {
    private TopicOutput() {}

    public static void attach(PartitionStreams streams, TopicOutputOptions options, RunIdentity identity) {
        Topics topics = options.topics();
        shards(streams, topics.shards(), options);
        DataStream<Tuple2<byte[], byte[]>> book = streams.bookChanges()
                .union(streams.finalBook())
                .flatMap(new BookRows())
                .returns(BookRows.TYPE)
                .setParallelism(1);
        sink(book, topics.partitionBook(), new TopicRecords.Book(topics.partitionBook()), options);
        sink(streams.deadLetters(), topics.deadLetters(), new TopicRecords.DeadLetter(topics.deadLetters()), options);
        sink(streams.quality(), topics.quality(), new TopicRecords.Quality(topics.quality(), identity), options);
        if (streams.plans() != null) {
            sink(streams.plans(), topics.plans(), new TopicRecords.Plans(topics.plans()), options);
        }
    }

    private static void shards(PartitionStreams streams, String topic, TopicOutputOptions options) {
        if (streams.shardVertices() == null) {
            sink(streams.shards(), topic, new TopicRecords.Shards<>(topic), options);
            return;
        }
        // One writer, so that edges and what is known of their ends are committed together.
        DataStream<ShardRecord> both = asRecords(streams.shards()).union(asRecords(streams.shardVertices()));
        sink(both, topic, new TopicRecords.Shards<>(topic), options);
    }

    private static <T extends ShardRecord> DataStream<ShardRecord> asRecords(DataStream<T> stream) {
        return stream.map(record -> (ShardRecord) record)
                .returns(StreamType.SHARD_RECORD)
                .setParallelism(stream.getParallelism());
    }

    private static <T> void sink(
            DataStream<T> stream, String topic, KafkaRecordSerializationSchema<T> records, TopicOutputOptions options) {
        KafkaSink<T> sink = KafkaSink.<T>builder()
                .setBootstrapServers(options.bootstrapServers())
                .setKafkaProducerConfig(producerProperties(options))
                .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
                .setTransactionalIdPrefix(options.transactionalIdPrefix() + "-" + topic)
                .setRecordSerializer(records)
                .build();
        stream.sinkTo(sink).name("topic " + topic).uid("topic-" + topic).setParallelism(1);
    }

    private static Properties producerProperties(TopicOutputOptions options) {
        Properties properties = new Properties();
        properties.putAll(options.properties());
        properties.setProperty(
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                Long.toString(options.transactionTimeout().toMillis()));
        // With more, a partition that opens between the first two of a new topic refuses the earlier one for ever.
        properties.setProperty(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
        properties.setProperty(ProducerConfig.LINGER_MS_CONFIG, "20");
        properties.setProperty(ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(256 << 10));
        return properties;
    }
}
