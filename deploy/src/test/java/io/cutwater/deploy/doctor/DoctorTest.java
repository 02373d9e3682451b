package io.cutwater.deploy.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.deploy.cluster.ClusterSettings;
import io.cutwater.deploy.cluster.rest.ClusterSlots;
import io.cutwater.deploy.doctor.Finding.State;
import io.cutwater.deploy.launch.LogFormat;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicOperation;
import io.cutwater.kafka.topic.TopicSpec;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.testkit.BrokerExtension;
import io.cutwater.testkit.CommandRun;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class DoctorTest {
    private static final Path MANIFESTS = Path.of("kubernetes", "manifests", "cutwater.yaml");

    @RegisterExtension
    static final BrokerExtension<EmbeddedBroker> BROKER =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @Test
    void findsWhatThisMachineLacks() {
        assertThat(MachineChecks.java(17, "/jdk").state()).isEqualTo(State.OK);
        assertThat(MachineChecks.java(11, "/jdk").state()).isEqualTo(State.FAILED);
        assertThat(MachineChecks.memory(8L << 30).text()).isEqualTo("8.0 GiB of memory");
        assertThat(MachineChecks.memory(2L << 30).state()).isEqualTo(State.WARNING);
        assertThat(MachineChecks.disk(Path.of("/tmp"), 1L << 30).state()).isEqualTo(State.WARNING);
    }

    @Test
    void namesTheOptionOfAPortThatIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ClusterSettings settings =
                    new ClusterSettings(taken.getLocalPort(), 1, 2, 3, 1, 1, 1 << 30, "", 0, LogFormat.TEXT, "");
            assertThat(MachineChecks.ports(settings).get(0))
                    .isEqualTo(Finding.warning(
                            "Port",
                            taken.getLocalPort() + " is taken by another process",
                            "give cluster start another --broker-port"));
        }
    }

    @Test
    void checksFlink() {
        assertThat(FlinkChecks.version("1.20.1").state()).isEqualTo(State.FAILED);
        assertThat(FlinkChecks.version("2.3.0").state()).isEqualTo(State.OK);
        assertThat(FlinkChecks.slots(new ClusterSlots(1, 2, 0, 1, false)).state())
                .isEqualTo(State.WARNING);
        assertThat(FlinkChecks.slots(new ClusterSlots(1, 2, 1, 1, false)).state())
                .isEqualTo(State.OK);
    }

    @Test
    void findsSettingsOfTopicsThatLoseRecords() {
        Topics topics = new Topics("doctor.");
        assertThat(BrokerChecks.transactions(60_000).advice()).contains("transaction.max.timeout.ms");
        assertThat(BrokerChecks.all(BROKER.bootstrapServers(), Map.of(), topics))
                .extracting(Finding::state)
                .containsOnly(State.OK);
        try (TopicAdmin admin = TopicAdmin.connect(BROKER.bootstrapServers(), Map.of())) {
            admin.ensure(new TopicSpec(topics.shards(), 1, TopicSpec.Cleanup.BY_TIME));
            admin.ensure(topics.spec(topics.quality(), 1));
        }
        List<Finding> findings = BrokerChecks.all(BROKER.bootstrapServers(), Map.of(), topics);
        assertThat(findings).anySatisfy(finding -> {
            assertThat(finding.state()).isEqualTo(State.WARNING);
            assertThat(finding.text()).startsWith("topic doctor.shards deletes records after");
            assertThat(finding.advice()).startsWith("run kafka-configs.sh").endsWith("--add-config retention.ms=-1");
        });
    }

    /** Who follows the advice of the doctor has the rights that the chart gives, and the other way round. */
    @Test
    void theUsersOfTheChartHaveTheRightsThatAreChecked() throws Exception {
        Map<String, Map<String, Set<TopicOperation>>> granted = new TreeMap<>();
        Load yaml = new Load(LoadSettings.builder().build());
        for (Object document : yaml.loadAllFromString(Files.readString(MANIFESTS))) {
            JsonNode user = new ObjectMapper().valueToTree(document);
            if (user.path("kind").asText().equals("KafkaUser")) {
                Map<String, Set<TopicOperation>> topics = new TreeMap<>();
                for (JsonNode acl : user.at("/spec/authorization/acls")) {
                    if (acl.at("/resource/type").asText().equals("topic")) {
                        Set<TopicOperation> operations = EnumSet.noneOf(TopicOperation.class);
                        acl.path("operations").forEach(name -> operations.add(operation(name.asText())));
                        topics.put(acl.at("/resource/name").asText(), operations);
                    }
                }
                granted.put(user.at("/metadata/name").asText(), topics);
            }
        }
        assertThat(granted).hasSize(TopicUser.values().length);
        for (TopicUser user : TopicUser.values()) {
            Map<String, Set<TopicOperation>> has = granted.get("graph-cutwater-" + user.word());
            List<TopicUser.Need> needs = user.needs(new Topics("")).stream()
                    .filter(need -> need.condition().isEmpty())
                    .toList();
            assertThat(needs)
                    .as(user.word())
                    .extracting(TopicUser.Need::topic)
                    .containsExactlyInAnyOrderElementsOf(has.keySet());
            for (TopicUser.Need need : needs) {
                assertThat(has.get(need.topic()))
                        .as(user.word() + " " + need.topic())
                        .containsAll(need.operations());
                assertThat(has.get(need.topic()).contains(TopicOperation.WRITE))
                        .as(user.word() + " writes " + need.topic())
                        .isEqualTo(need.operations().contains(TopicOperation.WRITE));
            }
        }
    }

    private static TopicOperation operation(String name) {
        return TopicOperation.valueOf(name.replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT));
    }

    @Test
    void theCommandPrintsTheFindings() {
        CommandRun run =
                CommandRun.of(Cutwater::run, "doctor", "--json", "--bootstrap-servers", BROKER.bootstrapServers());
        assertThat(run.exitCode()).as(run.out()).isZero();
        JsonNode checks = run.json().path("checks");
        assertThat(checks.findValuesAsText("check"))
                .contains("Java", "Memory", "Disk", "Training", "GPU", "Kafka", "Rights", "Topics", "Port");
    }
}
