package io.cutwater.deploy.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.event.EdgeRecordDecoder;
import io.cutwater.kafka.event.RecordFormatOptions;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicSpec;
import io.cutwater.kafka.topic.TopicSpec.Cleanup;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** A script of the guide, as a query with topics of its own. */
final class GuideScript {
    private static final Pattern SET = Pattern.compile("SET '(.*)' = '(.*)'");
    private static final int SOURCE_PARTITIONS = 2;
    private static final int EDGE_PARTITIONS = 3;

    private final String bootstrapServers;
    private final String payments;
    private final String edges;
    private final Section section;
    private final Path checkpoints;

    /**
     * A script, and the options of the command {@code submit} before it.
     *
     * @param options values by name without dashes
     */
    record Section(Map<String, String> options, String sql) {}

    GuideScript(String bootstrapServers, String prefix, Section section, Path checkpoints) {
        this.bootstrapServers = bootstrapServers;
        this.section = section;
        this.checkpoints = checkpoints;
        payments = prefix + "payments";
        edges = prefix + "edges";
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
            admin.ensure(
                    new TopicSpec(payments, SOURCE_PARTITIONS, Cleanup.BY_TIME),
                    new TopicSpec(edges, EDGE_PARTITIONS, Cleanup.BY_TIME));
        }
    }

    /** @param restoreFrom path of a checkpoint; null for none */
    JobClient start(String checkpointInterval, String restoreFrom) {
        Configuration configuration = new Configuration();
        configuration.setString("parallelism.default", "2");
        configuration.setString(
                "execution.checkpointing.dir", checkpoints.toUri().toString());
        configuration.setString("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
        if (restoreFrom != null) {
            configuration.setString("execution.state-recovery.path", restoreFrom);
        }
        TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.newInstance()
                .inStreamingMode()
                .withConfiguration(configuration)
                .build());
        String sql = section.sql();
        sql = replaced(sql, "kafka:9092", bootstrapServers);
        sql = replaced(sql, "'topic' = 'payments'", "'topic' = '" + payments + "'");
        sql = replaced(sql, "'topic' = 'edges'", "'topic' = '" + edges + "'");
        sql = replaced(
                sql,
                "'execution.checkpointing.interval' = '10 s'",
                "'execution.checkpointing.interval' = '" + checkpointInterval + "'");
        JobClient query = null;
        for (String statement : sql.strip().split(";\\s*(\n|$)")) {
            Matcher set = SET.matcher(statement);
            if (set.matches()) { // a command of the SQL client
                tables.getConfig().set(set.group(1), set.group(2));
                continue;
            }
            TableResult result = tables.executeSql(statement);
            query = result.getJobClient().orElse(query);
        }
        assertThat(query).as("the job of INSERT INTO").isNotNull();
        return query;
    }

    private static String replaced(String sql, String of, String by) {
        assertThat(sql).contains(of);
        return sql.replace(of, by);
    }

    /** Sends the payments of a pair to one topic partition. */
    void send(List<PaymentRow> rows) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(bootstrapServers, Map.of()))) {
            rows.forEach(row -> producer.send(new ProducerRecord<>(payments, bytes(row.ends()), bytes(row.json()))));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The committed events of each pair of ends, in their order. */
    Map<String, List<String>> edges() {
        EdgeRecordDecoder decoder = new EdgeRecordDecoder(RecordFormatOptions.parse(section.options()), null);
        Map<String, List<String>> found = new TreeMap<>();
        new TopicReader(bootstrapServers, Map.of()).readAll(edges, record -> {
            EdgeBatch batch = new EdgeBatch();
            decoder.decode(record, batch);
            assertThat(batch.rejected()).isEmpty();
            for (int i = 0; i < batch.size(); i++) {
                found.computeIfAbsent(batch.source(i) + " " + batch.target(i), ends -> new ArrayList<>())
                        .add(PaymentRow.event(batch.isRemoval(i), batch.weight(i), batch.timestamp(i)));
            }
        });
        return found;
    }

    long count(String isolation) {
        return new TopicReader(bootstrapServers, Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation))
                .readAll(edges, record -> {});
    }

    boolean hasOpenTransactions() {
        return end("read_uncommitted") > end("read_committed");
    }

    private long end(String isolation) {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                ClientSettings.consumer(bootstrapServers, Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation)))) {
            List<TopicPartition> all = IntStream.range(0, EDGE_PARTITIONS)
                    .mapToObj(p -> new TopicPartition(edges, p))
                    .toList();
            return consumer.endOffsets(all).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }

    String lastCheckpoint() throws IOException {
        try (Stream<Path> files = Files.walk(checkpoints)) {
            return files.filter(file -> file.endsWith("_metadata"))
                    .max((one, other) -> Integer.compare(number(one), number(other)))
                    .orElseThrow()
                    .getParent()
                    .toUri()
                    .toString();
        }
    }

    private static int number(Path metadata) {
        return Integer.parseInt(metadata.getParent().getFileName().toString().replace("chk-", ""));
    }
}
