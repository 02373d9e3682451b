package io.cutwater.deploy.cluster.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.client.FlinkAddress;
import io.cutwater.flink.client.FlinkCredentials;
import io.cutwater.flink.client.JobSubmission;
import io.cutwater.testkit.FlinkCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Flink cluster whose endpoint demands a key and a login. */
@Timeout(120)
final class FlinkRestIT {
    private static final String PASSWORD = "hush-hush";

    @TempDir
    private Path folder;

    @Test
    void anEndpointWithAKeyAnswersWhoeverHasItAndTheLogin() throws Exception {
        FlinkKey key = new FlinkKey(folder.resolve("key"));
        key.create();
        Configuration configuration = Configuration.fromMap(key.settings());
        configuration.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
        configuration.set(RestOptions.ADDRESS, "127.0.0.1");
        configuration.set(RestOptions.BIND_PORT, "0");
        configuration.set(
                LoginDemand.HEADER,
                "Basic " + Base64.getEncoder().encodeToString(("me:" + PASSWORD).getBytes(StandardCharsets.UTF_8)));
        try (FlinkCluster cluster = FlinkCluster.start(configuration, 1)) {
            URI endpoint = cluster.endpoint();
            FlinkAddress address = FlinkAddress.parse("https://127.0.0.1:" + endpoint.getPort());

            assertThat(statusWithoutTls(endpoint.getPort())).isEqualTo(301);
            assertThatThrownBy(() -> new FlinkRest(address, FlinkCredentials.NONE).version())
                    .isInstanceOf(FlinkException.class)
                    .hasMessageContaining("do not trust each other");
            assertThatThrownBy(() -> new FlinkRest(address, trusting(key)).version())
                    .as("without a key")
                    .isInstanceOf(FlinkException.class);
            assertThatThrownBy(() -> new FlinkRest(address, key.credentials()).version())
                    .hasMessageContaining("refuses the login");

            FlinkCredentials all = FlinkCredentials.read(properties(key, true));
            FlinkRest rest = new FlinkRest(address, all);
            assertThat(rest.version()).startsWith("2.");
            String job = JobSubmission.submit(countToTen(), "to ten", address, all, List.of());
            await().until(() -> rest.job(job).state().equals("FINISHED"));
        }
    }

    private static int statusWithoutTls(int port) throws IOException, InterruptedException {
        HttpRequest submission = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/v1/jobs".formatted(port)))
                .POST(HttpRequest.BodyPublishers.ofString("no plan"))
                .build();
        return HttpClient.newHttpClient()
                .send(submission, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static StreamExecutionEnvironment countToTen() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createRemoteEnvironment("127.0.0.1", 1);
        env.fromSequence(1, 10).sinkTo(new DiscardingSink<>());
        return env;
    }

    private FlinkCredentials trusting(FlinkKey key) throws IOException {
        return FlinkCredentials.read(properties(key, false));
    }

    private Path properties(FlinkKey key, boolean proving) throws IOException {
        String store = "security.ssl.rest.%s=" + key.store() + "\nsecurity.ssl.rest.%s-password="
                + Files.readString(key.passwordFile());
        String text = store.formatted("truststore", "truststore");
        if (proving) {
            text += store.formatted("keystore", "keystore") + "username=me\npassword=" + PASSWORD + "\n";
        }
        return Files.writeString(folder.resolve("flink.properties"), text);
    }
}
