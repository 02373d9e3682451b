package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.job.option.LiveJobOptions;
import io.cutwater.flink.job.topology.PartitionJob;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobGraphSecretsTest {
    private static final String SECRET = "hush-hush";

    @TempDir
    private Path folder;

    @Test
    void aJobGraphHasThePathOfClientPropertiesAndNoValue() throws Exception {
        Path file = Files.writeString(
                folder.resolve("client.properties"), "security.protocol=SSL\nssl.key.password=" + SECRET);
        LiveJobOptions options = LiveJobOptions.parse(
                "--bootstrap-servers",
                "localhost:1",
                "--partitions",
                "4",
                "--keep-edges",
                "true",
                "--vertex-data",
                "true",
                "--kafka-properties",
                file.toString());
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createRemoteEnvironment("localhost", 1);
        PartitionJob.build(
                env,
                LivePartitionJob.request(
                        options, new LiveTopics.Start(Map.of(), Map.of(0, 0L), Duration.ofMinutes(15), null, 1)));
        StreamGraph graph = env.getStreamGraph();
        graph.serializeUserDefinedInstances();
        String bytes = new String(InstantiationUtil.serializeObject(graph), StandardCharsets.ISO_8859_1)
                + graph.getStreamNodes().stream()
                        .map(node -> bytes(node.getOperatorFactory()))
                        .reduce("", String::concat);
        assertThat(bytes).contains("ssl.key.password", file.toString()).doesNotContain(SECRET);
    }

    /** Flink's page shows these names; without one of ours an operator has that of its kind. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--keep-edges true --vertex-data true",
                "--algorithm hdrf --parallelism 2 --assigners 2",
                "--ids text --ttl 1d --keep-edges true"
            })
    void everyOperatorHasANameOfOurs(String more) {
        LiveJobOptions options =
                LiveJobOptions.parse(("--bootstrap-servers localhost:1 --partitions 4 " + more).split(" "));
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createRemoteEnvironment("localhost", 1);
        PartitionJob.build(
                env,
                LivePartitionJob.request(
                        options, new LiveTopics.Start(Map.of(), Map.of(0, 0L), Duration.ofMinutes(15), null, 1)));

        assertThat(env.getStreamGraph().getStreamNodes())
                .extracting(StreamNode::getOperatorName)
                .anyMatch(name -> name.startsWith("topic shards"))
                .noneMatch(name -> name.matches(".*(Unnamed|Flat Map|Map|Filter|Process|_transform)( .*|:.*)?"));
    }

    private static String bytes(Object factory) {
        try {
            return new String(InstantiationUtil.serializeObject(factory), StandardCharsets.ISO_8859_1);
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        }
    }
}
