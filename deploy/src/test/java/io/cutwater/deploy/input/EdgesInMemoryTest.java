package io.cutwater.deploy.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.deploy.view.Progress;
import io.cutwater.deploy.view.ProgressStyle;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.testkit.BrokerExtension;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class EdgesInMemoryTest {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @Test
    void edgesOfARemovedVertexAreLeftOutUnlessTheyCameLater() throws IOException {
        Topics topics = new Topics("tail-");
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            admin.ensure(topics.spec(topics.edges(), 1));
        }
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            for (String record : List.of(
                    "{\"src\":7,\"dst\":1}",
                    "{\"src\":2,\"dst\":3}",
                    "{\"src\":1,\"dst\":7}",
                    "{\"op\":\"remove\",\"vertex\":7}",
                    "{\"op\":\"remove\",\"vertex\":8}",
                    "{\"op\":\"remove\"}",
                    "{\"src\":7,\"dst\":4}")) {
                producer.send(new ProducerRecord<>(topics.edges(), record.getBytes(StandardCharsets.UTF_8)));
            }
        }
        InputRequest.Topic topic = new InputRequest.Topic(
                broker.bootstrapServers(),
                topics,
                topics.edges(),
                new RecordFormat.Own(EdgeEventFormat.JSON),
                new TopicMoment.Now(),
                Map.of());
        Progress.Display display =
                new Progress.Display(ProgressStyle.OFF, 80, new PrintWriter(new StringWriter()), System::nanoTime);
        EdgesInMemory read = EdgesInMemory.read(topic, 100, null, display);
        EdgeBatch edges = read.edges();
        assertThat(IntStream.range(0, edges.size()).mapToObj(i -> edges.source(i) + "-" + edges.target(i)))
                .containsExactly("2-3", "7-4");
        assertThat(read.deadLetters()).isEqualTo(1);
    }
}
