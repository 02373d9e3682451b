package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cutwater.flink.cluster.FlinkAddress;
import io.cutwater.flink.cluster.FlinkCredentials;
import io.cutwater.flink.cluster.FlinkException;
import io.cutwater.flink.cluster.FlinkKey;
import io.cutwater.flink.cluster.FlinkRest;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who gets an answer from Flink's REST endpoint. */
@Timeout(120)
class RestEndpointIT {
    private static final String FOREIGN = "Host: rebound.example\r\nOrigin: https://page.example\r\n";
    private static final String FORM = "--b\r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n"
            + "{\"executionPlanFileName\":\"plan\",\"jobJarFileNames\":[],\"jobArtifactFileNames\":[]}\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"file_0\"; filename=\"plan\"\r\n\r\nno plan\r\n--b--\r\n";
    private static final String PASSWORD = "hush-hush";

    @TempDir
    private Path folder;

    @Test
    void nobodyGetsAnAnswerFromAnEmbeddedRun() throws Exception {
        Configuration configuration =
                EmbeddedRun.configuration(new EmbeddedOptions(folder, Duration.ofSeconds(10), 64L << 20, 0));
        try (MiniCluster cluster = start(configuration)) {
            URI endpoint = cluster.getRestAddress().get();
            assertThat(answer(endpoint, "GET /v1/overview HTTP/1.1\r\n" + FOREIGN + "\r\n"))
                    .isEmpty();
            assertThat(answer(endpoint, post())).isEmpty();
        }
    }

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
        try (MiniCluster cluster = start(configuration)) {
            URI endpoint = cluster.getRestAddress().get();
            FlinkAddress address = FlinkAddress.parse("https://127.0.0.1:" + endpoint.getPort());

            assertThat(answer(endpoint, post())).startsWith("HTTP/1.1 301");
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
            String job = JobSubmission.submit(countToTen(), "to ten", address, all);
            await().until(() -> rest.job(job).state().equals("FINISHED"));
        }
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

    private static String post() {
        return "POST /v1/jobs HTTP/1.1\r\n" + FOREIGN
                + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: " + FORM.length() + "\r\n\r\n"
                + FORM;
    }

    private static MiniCluster start(Configuration configuration) throws Exception {
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(1)
                .build());
        cluster.start();
        return cluster;
    }

    /** What comes back first; nothing if the connection is closed. */
    private static String answer(URI endpoint, String request) throws IOException {
        try (Socket socket = new Socket(endpoint.getHost(), endpoint.getPort())) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            byte[] begin = in.readNBytes(12);
            return new String(begin, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            assertThat(e).isNotInstanceOf(java.net.SocketTimeoutException.class);
            return ""; // reset
        }
    }
}
