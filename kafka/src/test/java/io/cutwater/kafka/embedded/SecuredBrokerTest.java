package io.cutwater.kafka.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.training.ModelChannel;
import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.kafka.training.ModelMessage.Kind;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker that wants a name and a password. */
@Timeout(120)
class SecuredBrokerTest {
    private static final String PASSWORD = "hush-hush";
    private static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required ";

    @TempDir
    private Path folder;

    @Test
    void clientPropertiesOpenIt() throws Exception {
        int port;
        int controllerPort;
        try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ServerSocket second = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = first.getLocalPort();
            controllerPort = second.getLocalPort();
        }
        Path log = Files.createDirectory(folder.resolve("log"));
        BrokerFolder.format(log);
        KafkaRaftServer server = new KafkaRaftServer(
                KafkaConfig.fromProps(secured(BrokerFolder.settings(log, port, controllerPort)), false), Time.SYSTEM);
        try {
            server.startup();
            coordinatorAndWorkerTalk(BrokerFolder.LOOPBACK + ":" + port);
        } finally {
            server.shutdown();
            server.awaitShutdown();
        }
    }

    private static Properties secured(Properties settings) {
        for (String name : new String[] {"listeners", "listener.security.protocol.map"}) {
            settings.put(name, settings.getProperty(name).replace("PLAINTEXT:", "SASL_PLAINTEXT:"));
        }
        settings.put("listener.security.protocol.map", "SASL_PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("inter.broker.listener.name", "SASL_PLAINTEXT");
        settings.put("sasl.enabled.mechanisms", "PLAIN");
        settings.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
        settings.put(
                "listener.name.sasl_plaintext.plain.sasl.jaas.config",
                LOGIN + "username=broker password=broker user_broker=broker user_trainer=\"" + PASSWORD + "\";");
        return settings;
    }

    private static void coordinatorAndWorkerTalk(String server) {
        Topics topics = new Topics("");
        Map<String, String> right = client(PASSWORD);
        try (ModelChannel worker = ModelChannel.ofWorker(server, right, topics);
                ModelChannel coordinator = ModelChannel.ofCoordinator(server, right, topics, "coordinator")) {
            coordinator.send(new ModelMessage(Kind.END, coordinator.run(), 0, -1, 0, "coordinator", new byte[0]));
            List<Kind> heard = new ArrayList<>();
            while (heard.size() < 2) {
                worker.poll(Duration.ofSeconds(1)).forEach(message -> heard.add(message.kind()));
            }
            assertThat(heard).containsExactly(Kind.BEGIN, Kind.END);
        }
        assertThatThrownBy(() -> ModelChannel.ofWorker(server, client("guess-what"), topics))
                .isInstanceOf(BrokerException.class)
                .hasMessageContaining("refuses the connection")
                .hasMessageNotContaining("guess-what");
    }

    private static Map<String, String> client(String password) {
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                LOGIN + "username=trainer password=\"" + password + "\";");
    }
}
