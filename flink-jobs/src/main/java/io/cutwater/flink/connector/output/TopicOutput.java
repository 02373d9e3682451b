package io.cutwater.flink.connector.output;

import io.cutwater.flink.connector.report.ReportRowsOperator;
import io.cutwater.flink.connector.report.RunIdentity;
import io.cutwater.flink.connector.transaction.EdgeCount;
import io.cutwater.flink.connector.transaction.TransactionalSink;
import io.cutwater.flink.connector.transaction.fate.SinkTopic;
import io.cutwater.flink.types.OperatorId;
import io.cutwater.flink.types.shard.OutputRow;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.kafka.shard.ShardRecordCodec;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.Partitioner;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Writes a partitioning to topics: shards and book in the transactions of one writer or several, dead letters in
 * another, reports in a third.
 */
public final class TopicOutput {
    private TopicOutput() {}

    public static void attach(PartitionStreams streams, TopicOutputOptions options, RunIdentity identity) {
        Topics topics = options.topics();
        TopicRecords.Rows records = new TopicRecords.Rows(topics, options.writers());
        sink(atWriters(rows(streams), options), topics.shards(), records, options, TopicOutput::edges);
        // Earlier builds wrote the book in transactions of its own. Nothing is written there any more; their
        // checkpoints may contain transactions that must be committed.
        sink(nothing(streams.finalBook()), topics.partitionBook(), records, options);
        sink(streams.deadLetters(), topics.deadLetters(), new TopicRecords.DeadLetter(topics.deadLetters()), options);
        // One writer for the series and the newest report, so that they are committed together.
        sink(
                reports(streams, options, identity),
                topics.quality(),
                new TopicRecords.Report(topics.report(), identity.algorithm()),
                options);
        if (options.control() != null) {
            sink(streams.plans(), topics.plans(), new TopicRecords.Plans(topics.plans()), options);
        }
    }

    /**
     * Returns the rows as the tasks receive them that write them, with the number of topic partitions of the shards.
     */
    private static DataStream<Tuple2<Integer, OutputRow>> atWriters(
            DataStream<OutputRow> rows, TopicOutputOptions options) {
        OperatorId id = OperatorId.shardTopicPartitions(options.topics().shards());
        ShardWriters writers = options.writers();
        if (writers == null) {
            return FixTopicPartitions.of(rows, options, id);
        }
        Partitioner<Integer> toWriter = (writer, tasks) -> writer;
        DataStream<OutputRow> dealt = writers.count() == 1 ? rows : rows.partitionCustom(toWriter, writers::writer);
        DataStream<OutputRow> marked = dealt.transform(
                        OperatorId.MARK_COMMITS.name(), OutputRow.TYPE, new MarkCommitsOperator())
                .uid(OperatorId.MARK_COMMITS.uid())
                .setParallelism(writers.count());
        return FixTopicPartitions.of(marked, options, id, writers);
    }

    /** Returns shards, vertex data, book rows and texts, which are committed together. */
    private static DataStream<OutputRow> rows(PartitionStreams streams) {
        List<DataStream<OutputRow>> rows = new ArrayList<>();
        rows.add(encoded(streams.shards(), TopicOutput::row));
        streams.bookChanges().forEach(changes -> rows.add(bookRows(changes)));
        rows.add(bookRows(streams.finalBook()));
        if (streams.texts() != null) {
            rows.add(streams.texts()
                    .flatMap(new TextRows())
                    .name("encode texts")
                    .returns(OutputRow.TYPE)
                    .setParallelism(streams.texts().getParallelism()));
        }
        if (streams.shardVertices() != null) {
            rows.add(encoded(
                    streams.shardVertices(), vertices -> OutputRow.ofShard(vertices.shard(), vertices.record())));
        }
        return rows.stream().reduce(DataStream::union).orElseThrow();
    }

    private static DataStream<OutputRow> bookRows(DataStream<VertexBatch> book) {
        return book.flatMap(new BookRows())
                .name("encode the book")
                .returns(OutputRow.TYPE)
                .setParallelism(book.getParallelism());
    }

    private static DataStream<Tuple2<String, byte[]>> reports(
            PartitionStreams streams, TopicOutputOptions options, RunIdentity identity) {
        return FixTopicPartitions.of(
                        streams.quality(),
                        options,
                        OperatorId.reportedTopicPartitions(options.topics().shards()))
                .transform(
                        OperatorId.REPORTS.name(),
                        ReportRowsOperator.TYPE,
                        new ReportRowsOperator(options.topics(), identity))
                .uid(OperatorId.REPORTS.uid())
                .setParallelism(1);
    }

    private static DataStream<Tuple2<Integer, OutputRow>> nothing(DataStream<VertexBatch> stream) {
        return stream.flatMap((VertexBatch rows, Collector<Tuple2<Integer, OutputRow>> out) -> {})
                .name("no rows")
                .returns(FixTopicPartitions.type(OutputRow.TYPE))
                .setParallelism(1);
    }

    /** Encodes in the tasks that produce the records, so that bytes and not columns pass between threads. */
    private static <T> DataStream<OutputRow> encoded(DataStream<T> stream, MapFunction<T, OutputRow> encoder) {
        return stream.map(encoder)
                .name("encode shards")
                .returns(OutputRow.TYPE)
                .setParallelism(stream.getParallelism());
    }

    private static OutputRow row(ShardBatch batch) {
        EdgeBatch edges = batch.edges();
        Kind kind = Kind.of(batch.change(), edges.hasPlaces());
        return OutputRow.ofShard(
                batch.shard(), ShardRecordCodec.encode(kind, batch.generation(), edges, 0, edges.size()));
    }

    private static long edges(Tuple2<Integer, OutputRow> row) {
        return row.f1.shard() < 0 ? 0 : ShardRecordCodec.addedEdges(row.f1.shard(), row.f1.value());
    }

    private static <T> void sink(
            DataStream<T> stream, String topic, KafkaRecordSerializationSchema<T> records, TopicOutputOptions options) {
        sink(stream, topic, records, options, element -> 0);
    }

    private static <T> void sink(
            DataStream<T> stream,
            String topic,
            KafkaRecordSerializationSchema<T> records,
            TopicOutputOptions options,
            EdgeCount<T> edgeCount) {
        SinkTopic sinkTopic = new SinkTopic(
                topic,
                options.bootstrapServers(),
                options.properties(),
                options.lostRecords(),
                topic.equals(options.topics().shards()));
        TransactionalSink<T> sink = TransactionalSink.of(
                sinkTopic,
                producerProperties(options),
                options.transactionalIdPrefix() + "-" + topic,
                new OwnedRecords<>(records, options.bootstrapServers(), options.properties(), options.rule()),
                edgeCount);
        OperatorId id = OperatorId.sink(topic);
        ShardWriters writers = topic.equals(options.topics().shards()) ? options.writers() : null;
        stream.sinkTo(sink).name(id.name()).uid(id.uid()).setParallelism(writers == null ? 1 : writers.count());
    }

    private static Properties producerProperties(TopicOutputOptions options) {
        Properties properties = new Properties();
        properties.putAll(options.properties());
        properties.setProperty(
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                Long.toString(options.transactionTimeout().toMillis()));
        // With more, a topic partition that opens between the first two batches of a new topic refuses the earlier one
        // for ever.
        properties.setProperty(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
        properties.setProperty(ProducerConfig.LINGER_MS_CONFIG, "20");
        properties.setProperty(ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(256 << 10));
        return properties;
    }
}
