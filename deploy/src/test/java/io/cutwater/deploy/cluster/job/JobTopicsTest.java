package io.cutwater.deploy.cluster.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.run.OutputTopics;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.testkit.BrokerExtension;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JobTopicsTest {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @Test
    void aResumedJobHasThePartitionsOfItsLastRepartitioning() throws Exception {
        LiveJobOptions options = options("grown-");
        new OutputTopics(broker.bootstrapServers(), Map.of()).make(options.topics(), 4);
        assertThat(JobTopics.present(options)).as("before its first report").isEqualTo(options);

        report(options, 4);
        assertThat(JobTopics.present(options)).isEqualTo(options);
        report(options, 7);
        LiveJobOptions present = JobTopics.present(options);
        assertThat(present.partitioner().partitionCount()).isEqualTo(7);
        assertThat(present.topics()).isEqualTo(options.topics());
    }

    private static LiveJobOptions options(String prefix) {
        return LiveJobOptions.of(Map.of(
                "bootstrap-servers",
                broker.bootstrapServers(),
                "topic-prefix",
                prefix,
                "keep-edges",
                "true",
                "partitions",
                "4"));
    }

    private static void report(LiveJobOptions options, int partitions) throws Exception {
        List<PartitionQuality> perPartition = IntStream.range(0, partitions)
                .mapToObj(partition -> new PartitionQuality(partition, 2, 1))
                .toList();
        RunReport report = new RunReport("hdrf", 1, Quality.ofEdges(partitions, 2, partitions, 0, perPartition), 1, 1);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            producer.send(new ProducerRecord<>(options.topics().report(), new byte[] {1}, ReportJson.toBytes(report)))
                    .get();
        }
    }
}
