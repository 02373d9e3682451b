package io.cutwater.deploy.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ports at which the Flink processes of a cluster answer Prometheus; each process takes one of them. */
record PrometheusPorts(int first) {
    /** Above the ports that the cluster's other servers get, below those that a system assigns to clients. */
    private static final int LOWEST = 32_000;

    private static final int COUNT = 8;
    private static final int RANGES = 90;
    private static final Duration ANSWER = Duration.ofSeconds(5);

    static PrometheusPorts choose() {
        return new PrometheusPorts(LOWEST + COUNT * new SplittableRandom().nextInt(RANGES));
    }

    /** Returns the range as {@code --metrics-ports} takes it. */
    String range() {
        return first + "-" + (first + COUNT - 1);
    }

    /** Returns the metrics of the Flink processes, one text for each. */
    List<String> scrape() throws InterruptedException {
        List<String> all = new ArrayList<>();
        HttpClient client = HttpClient.newHttpClient();
        for (int port = first; port < first + COUNT; port++) {
            try {
                HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                        .timeout(ANSWER)
                        .build();
                all.add(client.send(request, HttpResponse.BodyHandlers.ofString())
                        .body());
            } catch (IOException e) {
                // No process listens there, or one that does not speak HTTP.
            }
        }
        return all;
    }

    /** Returns the value of the metric whose name ends like this. */
    static double value(String metrics, String name) {
        Matcher sample =
                Pattern.compile("(?m)^\\w*" + name + "\\{[^}]*} (\\S+)$").matcher(metrics);
        assertThat(sample.find()).as(name).isTrue();
        return Double.parseDouble(sample.group(1));
    }
}
