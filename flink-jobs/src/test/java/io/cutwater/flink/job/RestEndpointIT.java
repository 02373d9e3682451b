package io.cutwater.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.testkit.FlinkCluster;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The REST endpoint of an embedded run answers nobody. */
@Timeout(120)
class RestEndpointIT {
    private static final String FOREIGN = "Host: rebound.example\r\nOrigin: https://page.example\r\n";
    private static final String FORM = "--b\r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n"
            + "{\"executionPlanFileName\":\"plan\",\"jobJarFileNames\":[],\"jobArtifactFileNames\":[]}\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"file_0\"; filename=\"plan\"\r\n\r\nno plan\r\n--b--\r\n";

    @TempDir
    private Path folder;

    @Test
    void anEmbeddedRunAnswersNoRestRequest() throws Exception {
        Configuration configuration =
                EmbeddedRun.configuration(new EmbeddedOptions(folder, Duration.ofSeconds(10), 64L << 20, 0));
        try (FlinkCluster cluster = FlinkCluster.start(configuration, 1)) {
            URI endpoint = cluster.endpoint();
            assertThat(answer(endpoint, "GET /v1/overview HTTP/1.1\r\n" + FOREIGN + "\r\n"))
                    .isEmpty();
            assertThat(answer(endpoint, post())).isEmpty();
        }
    }

    private static String post() {
        return "POST /v1/jobs HTTP/1.1\r\n" + FOREIGN
                + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: " + FORM.length() + "\r\n\r\n"
                + FORM;
    }

    /** Returns the first line of the answer; nothing if the connection is closed. */
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
