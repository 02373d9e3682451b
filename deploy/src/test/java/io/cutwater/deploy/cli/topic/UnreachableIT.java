package io.cutwater.deploy.cli.topic;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.testkit.CommandRun;
import io.cutwater.testkit.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands whose broker or Flink cluster is not there, or is something else, end soon and with a sentence. */
@Timeout(120)
class UnreachableIT {
    private static final Map<String, String> FLINK_ANSWERS = Map.of(
            "/config", "{\"flink-version\":\"2.3.0\"}",
            "/jobs/overview", "{\"jobs\":[]}",
            "/overview", "{\"taskmanagers\":1,\"slots-total\":1,\"slots-available\":1}",
            "/jobmanager/config", "[{\"key\":\"execution.checkpointing.dir\",\"value\":\"file:/checkpoints\"}]");

    @TempDir
    private Path folder;

    /** Answers as a Flink cluster without jobs does. */
    private HttpServer flink;

    private String flinkAddress;
    private String graph;

    @BeforeEach
    void startFlink() throws IOException {
        graph = Files.writeString(folder.resolve("graph.txt"), "1 2\n").toString();
        flink = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        flink.createContext("/", exchange -> {
            String answer = FLINK_ANSWERS.get(exchange.getRequestURI().getPath());
            byte[] body = (answer == null ? "{}" : answer).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        flink.start();
        flinkAddress = "127.0.0.1:" + flink.getAddress().getPort();
    }

    @AfterEach
    void stopFlink() {
        flink.stop(0);
    }

    private CommandRun run(String line) {
        return CommandRun.of(Cutwater::run, line.split(" ", -1));
    }

    private List<CommandRun> runAtTheSameTime(List<String> lines) {
        List<CompletableFuture<CommandRun>> runs = new ArrayList<>();
        lines.forEach(line -> runs.add(CompletableFuture.supplyAsync(() -> run(line))));
        return runs.stream().map(CompletableFuture::join).toList();
    }

    private List<String> linesWithBroker(String servers) {
        String live =
                " --partitions 8 --flink %s --dir %s --bootstrap-servers %s".formatted(flinkAddress, folder, servers);
        return List.of(
                "submit" + live,
                "resume --from file:/checkpoints/chk-1" + live,
                "ingest --edges %s --bootstrap-servers %s".formatted(graph, servers),
                "ingest --shuffle-seed 1 --edges %s --bootstrap-servers %s".formatted(graph, servers),
                "partition --topic edges --partitions 4 --out %s/out%d --bootstrap-servers %s"
                        .formatted(folder, servers.hashCode(), servers));
    }

    private static void assertSentence(CommandRun run, String sentence) {
        assertThat(run.exitCode()).as(run.toString()).isEqualTo(1);
        assertThat(run.err().lines()).as(run.err()).hasSize(1);
        assertThat(run.sentence()).startsWith("cutwater: " + sentence);
        assertThat(run.out()).isEmpty();
    }

    /** Side by side, for each waits. */
    @Test
    void aBrokerThatIsNotThereOrSomethingElse() {
        List<String> missing = linesWithBroker("127.0.0.1:1");
        List<String> all = new ArrayList<>(missing);
        all.addAll(linesWithBroker(flinkAddress));
        List<CommandRun> runs = runAtTheSameTime(all);
        for (CommandRun run : runs.subList(0, missing.size())) {
            assertSentence(run, "no Kafka broker answers at 127.0.0.1:1 within 10 s; check --bootstrap-servers");
        }
        for (CommandRun run : runs.subList(missing.size(), runs.size())) {
            assertSentence(run, "no Kafka broker answers at %s within 10 s".formatted(flinkAddress));
        }
        assertThat(folder).isDirectoryNotContaining("glob:**out*");
    }

    @Test
    void aFlinkClusterThatIsSomethingElse() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread closing = new Thread(() -> closeWhateverComes(silent), "no Flink");
            closing.start();
            String address = "127.0.0.1:" + silent.getLocalPort();
            for (String line :
                    List.of("status", "stop", "stop 0", "submit --bootstrap-servers 127.0.0.1:1 --partitions 8")) {
                assertSentence(
                        run(line + " --flink %s --dir %s".formatted(address, folder)),
                        "no Flink cluster answers at %s; check --flink".formatted(address));
            }
        }
    }

    private static void closeWhateverComes(ServerSocket server) {
        try {
            while (!server.isClosed()) {
                server.accept().close();
            }
        } catch (IOException e) {
            // Closed by the test.
        }
    }

    @Test
    void aPortThatIsTaken() throws IOException {
        int[] ports = FreePorts.find(5);
        String[] options = {"--broker-port", "--controller-port", "--flink-port", "--jobmanager-port", "--metrics-ports"
        };
        StringBuilder line = new StringBuilder("cluster start --dir " + folder.resolve("cluster"));
        for (int i = 0; i < ports.length; i++) {
            line.append(' ').append(options[i]).append(' ').append(ports[i]);
        }
        for (int i = 0; i < ports.length; i++) {
            try (ServerSocket taken = new ServerSocket(ports[i], 1, InetAddress.getLoopbackAddress())) {
                assertSentence(
                        run(line.toString()),
                        "port %d is in use; stop the process that listens there, or choose another port with %s"
                                .formatted(taken.getLocalPort(), options[i]));
            }
        }
        assertThat(run("cluster status --dir " + folder.resolve("cluster")).out())
                .startsWith("There is no cluster in");
    }
}
