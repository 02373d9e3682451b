package io.cutwater.testkit;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Apicurio's registry in a JVM of its own. Its schemas are in a folder, so they are there after a kill and a restart,
 * and its port stays.
 */
public final class RegistryProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int OK = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final Path jar;
    private final Path folder;
    private final int port;
    private Process process;

    private RegistryProcess(Path jar, Path folder, int port) throws IOException {
        this.jar = jar;
        this.folder = folder;
        this.port = port;
        process = launch();
    }

    /**
     * Starts a registry and waits until it answers.
     *
     * @param program folder of the unpacked registry
     * @param folder for its schemas and its log, exists
     */
    public static RegistryProcess start(Path program, Path folder) throws IOException, InterruptedException {
        Path jar;
        try (Stream<Path> files = Files.walk(program)) {
            jar = files.filter(file -> file.toString().endsWith("-runner.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no registry is in " + program));
        }
        RegistryProcess registry = new RegistryProcess(jar, folder, FreePorts.find(1)[0]);
        registry.await();
        return registry;
    }

    private Process launch() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx400m",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                jar.toString());
        builder.environment().put("QUARKUS_HTTP_HOST", "127.0.0.1");
        builder.environment().put("QUARKUS_HTTP_PORT", Integer.toString(port));
        // By default the schemas are in memory, or in a file half a second after they are registered.
        builder.environment()
                .put(
                        "APICURIO_DATASOURCE_URL",
                        "jdbc:h2:file:%s;DB_CLOSE_ON_EXIT=FALSE;WRITE_DELAY=0"
                                .formatted(folder.resolve("schemas").toAbsolutePath()));
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log()))
                .start();
    }

    private File log() {
        return folder.resolve("registry.log").toFile();
    }

    private void await() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("the registry does not answer; see " + log());
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
    }

    private boolean answers() throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(apicurio() + "/system/info"))
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == OK;
        } catch (IOException e) {
            return false;
        }
    }

    /** Kills the process. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Starts a registry that was killed, with the same schemas and the same address. */
    public void restart() throws IOException, InterruptedException {
        process = launch();
        await();
    }

    /** Address of its own API. */
    public String apicurio() {
        return "http://127.0.0.1:%d/apis/registry/v3".formatted(port);
    }

    /** Address of the API that it has in common with Confluent's registry. */
    public String confluent() {
        return "http://127.0.0.1:%d/apis/ccompat/v7".formatted(port);
    }

    /**
     * Registers a schema by the API of Confluent.
     *
     * @param type AVRO, PROTOBUF or JSON
     * @param references schemas that it uses, each with a name, a subject and a version
     * @return its id
     */
    public int register(String subject, String type, String schema, List<Map<String, Object>> references)
            throws IOException, InterruptedException {
        String body = JSON.writeValueAsString(Map.of("schema", schema, "schemaType", type, "references", references));
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("%s/subjects/%s/versions".formatted(confluent(), subject)))
                .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != OK) {
            throw new IOException(response.body());
        }
        return JSON.readTree(response.body()).path("id").intValue();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
