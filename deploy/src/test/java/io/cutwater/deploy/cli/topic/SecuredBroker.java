package io.cutwater.deploy.cli.topic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.deploy.cluster.rest.FlinkKey;
import io.cutwater.kafka.embedded.BrokerFolder;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicSpec;
import io.cutwater.testkit.CommandRun;
import io.cutwater.testkit.FreePorts;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;

/**
 * A broker that talks to clients by TLS only, and wants a name and a password (SCRAM). User {@code cutwater} may do
 * everything, user {@code guest} what {@link #allow} allows.
 */
final class SecuredBroker implements AutoCloseable {
    static final String PASSWORD = "hush-hush-broker";
    static final String GUEST = "guest";

    private static final String LOGIN =
            "org.apache.kafka.common.security.scram.ScramLoginModule required username=%s password=\"%s\";";

    private final KafkaRaftServer server;
    private final FlinkKey key;
    private final Path folder;
    private final String plain;
    private final String bootstrapServers;

    /** @param key whose certificate the broker shows */
    SecuredBroker(Path folder, FlinkKey key) throws Exception {
        this.folder = folder;
        this.key = key;
        int[] ports = FreePorts.find(3);
        bootstrapServers = "127.0.0.1:" + ports[2];
        Properties settings = new Properties();
        try (Reader reader =
                Files.newBufferedReader(BrokerFolder.prepare(folder, ports[0], ports[1], new Properties()))) {
            settings.load(reader);
        }
        settings.merge("listeners", ",SASL_SSL://" + bootstrapServers, (before, more) -> "" + before + more);
        settings.merge("listener.security.protocol.map", ",SASL_SSL:SASL_SSL", (before, more) -> "" + before + more);
        settings.put("sasl.enabled.mechanisms", "SCRAM-SHA-512");
        settings.put(
                "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required;");
        settings.put("ssl.keystore.location", key.store().toString());
        settings.put("ssl.keystore.type", "PKCS12");
        settings.put("ssl.keystore.password", storePassword());
        settings.put("ssl.key.password", storePassword());
        settings.put("authorizer.class.name", StandardAuthorizer.class.getName());
        settings.put("super.users", "User:ANONYMOUS;User:cutwater"); // the first one: on the loopback interface
        server = new KafkaRaftServer(KafkaConfig.fromProps(settings, false), Time.SYSTEM);
        server.startup();
        plain = "127.0.0.1:" + ports[0];
        try (Admin admin = admin()) {
            for (String user : List.of("cutwater", GUEST)) {
                admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                                user, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), PASSWORD)))
                        .all()
                        .get();
            }
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", plain));
    }

    /** Creates topics. */
    void create(List<TopicSpec> topics) {
        try (TopicAdmin admin = TopicAdmin.connect(plain, Map.of())) {
            admin.ensure(topics);
        }
    }

    /** Runs a command line for this broker. */
    CommandRun run(String line, String kafkaProperties) {
        List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
        words.addAll(List.of("--bootstrap-servers", bootstrapServers, "--kafka-properties", kafkaProperties));
        return CommandRun.of(Cutwater::run, words.toArray(String[]::new));
    }

    /** Returns what the doctor finds on the topics with prefix {@code rights.} for user {@code guest}. */
    JsonNode doctor(int exitCode) throws Exception {
        CommandRun run = run(
                "doctor --json --topic-prefix rights.",
                clientProperties(GUEST, PASSWORD).toString());
        assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(exitCode);
        return run.json();
    }

    static ResourcePattern topic(String name, PatternType type) {
        return new ResourcePattern(ResourceType.TOPIC, name, type);
    }

    /** Allows user {@code guest} operations on a resource. */
    void allow(ResourcePattern resource, AclOperation... operations) throws Exception {
        try (Admin admin = admin()) {
            admin.createAcls(Arrays.stream(operations)
                            .map(operation -> new AclBinding(
                                    resource,
                                    new AccessControlEntry("User:" + GUEST, "*", operation, AclPermissionType.ALLOW)))
                            .toList())
                    .all()
                    .get();
        }
    }

    String bootstrapServers() {
        return bootstrapServers;
    }

    /** A file for {@code --kafka-properties}. */
    Path clientProperties(String password) throws Exception {
        return clientProperties("cutwater", password);
    }

    Path clientProperties(String user, String password) throws Exception {
        String text = "security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-512\nsasl.jaas.config=%s\n"
                .formatted(LOGIN)
                .formatted(user, password);
        text += "ssl.truststore.type=PKCS12\nssl.truststore.location=%s\nssl.truststore.password=%s\n"
                .formatted(key.store(), storePassword());
        return Files.writeString(Files.createTempFile(folder, "client", ".properties"), text);
    }

    private String storePassword() throws Exception {
        return Files.readString(key.passwordFile()).strip();
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }
}
