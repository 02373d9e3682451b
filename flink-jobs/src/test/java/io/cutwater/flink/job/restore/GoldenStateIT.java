package io.cutwater.flink.job.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.cutwater.format.json.RunReport;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.run.QualityReader;
import io.cutwater.kafka.shard.ShardVertexCodec;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.testkit.BrokerExtension;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * State of live jobs that earlier builds wrote, kept in the test resources {@code golden/VERSION}: jobs of this build
 * go on from it.
 */
final class GoldenStateIT {
    private static final int ADDED = 40;
    private static final int REMOVED = 25;
    private static final String METADATA = "_metadata";

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "v1, edge, savepoint",
        "v1, vertex, savepoint",
        "v1, vertex-data, checkpoint",
        "v1, spread, savepoint",
        "v1, bootstrap, savepoint",
        "v2, edge, savepoint",
        "v2, vertex, savepoint",
        "v3, clusters, savepoint"
    })
    void aJobResumesFromTheStateOfAnEarlierBuild(String version, String name, String sort) throws Exception {
        GoldenJob job = GoldenJob.onNewTopics(broker.bootstrapServers(), name);
        JobClient client = job.start(Files.createDirectory(folder.resolve("work")), unpack(version, name, sort));
        try {
            job.add(ADDED);
            int removed = job.keepsEdges() ? REMOVED : 0;
            job.remove(removed);
            RunReport report = awaitEdges(client, job.topics(), GoldenJob.EDGES + ADDED - removed);
            assertThat(report.unknownRemovals()).isZero();
            assertThat(report.quality().deadLetters()).isZero();
            if (!job.keepsEdges()) {
                assertThat(report.quality().vertices()).isEqualTo(job.vertices());
            }
            if (job.readsVertices()) {
                await().atMost(GoldenJob.patience())
                        .untilAsserted(() -> assertThat(described(job.topics()))
                                .extracting(VertexRecord::vertex, VertexRecord::label)
                                .contains(tuple(GoldenJob.DESCRIBED, 3)));
            }
        } finally {
            if (!client.getJobExecutionResult().isDone()) {
                client.cancel().get(30, TimeUnit.SECONDS);
            }
        }
    }

    private Path unpack(String version, String name, String sort) throws IOException {
        Path state = Files.createDirectory(folder.resolve("state"));
        String resource = "/golden/%s/%s.%s.gz".formatted(version, name, sort);
        try (InputStream packed = Objects.requireNonNull(GoldenStateIT.class.getResourceAsStream(resource), resource);
                InputStream in = new GZIPInputStream(packed)) {
            Files.copy(in, state.resolve(METADATA));
        }
        return state;
    }

    private static RunReport awaitEdges(JobClient client, Topics topics, long edges) throws Exception {
        CompletableFuture<?> end = client.getJobExecutionResult();
        RunReport[] last = new RunReport[1];
        await().atMost(GoldenJob.patience()).until(() -> {
            if (end.isDone()) {
                end.get(); // throws what has failed
            }
            last[0] = new QualityReader(broker.bootstrapServers(), Map.of()).last(topics);
            return last[0] != null && last[0].quality().edges() == edges;
        });
        return last[0];
    }

    private static List<VertexRecord> described(Topics topics) {
        List<VertexRecord> described = new ArrayList<>();
        new TopicReader(broker.bootstrapServers(), Map.of()).readAll(topics.shards(), record -> {
            if (ShardVertexCodec.tellsOfVertices(record.value())) {
                ShardVertexCodec.decode(record.value(), new ShardVertexCodec.Handler() {
                    @Override
                    public void data(VertexRecord vertex) {
                        described.add(vertex);
                    }

                    @Override
                    public void gone(long vertex) {}
                });
            }
        });
        return described;
    }

    /** Writes the state of this build; {@code golden/README.md} of the test resources has the command. */
    @ParameterizedTest(name = "{0}")
    @Tag("writes-golden-files")
    @CsvSource({
        "edge, savepoint",
        "vertex, savepoint",
        "vertex-data, checkpoint",
        "spread, savepoint",
        "bootstrap, savepoint",
        "clusters, savepoint"
    })
    void writesTheStateOfThisBuild(String name, String sort) throws Exception {
        GoldenJob job = GoldenJob.onNewTopics(broker.bootstrapServers(), name);
        // The state names the folder that it was written to.
        Path out = Path.of(System.getProperty("golden.write"));
        Path work = Files.createDirectories(out.resolve(name));
        JobClient client = job.start(work, null);
        awaitEdges(client, job.topics(), GoldenJob.EDGES);
        awaitQuiet(client, work);
        Path state = sort.equals("savepoint") ? stop(client, work) : cancel(client, work);
        try (GZIPOutputStream packed =
                new GZIPOutputStream(Files.newOutputStream(out.resolve(name + "." + sort + ".gz")))) {
            Files.copy(state.resolve(METADATA), packed);
        }
    }

    private static Path stop(JobClient client, Path work) throws Exception {
        String path = client.stopWithSavepoint(
                        false, work.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
                .get(60, TimeUnit.SECONDS);
        return Path.of(URI.create(path));
    }

    /** Waits until the next state has no transaction that is still to be committed: no other broker has it. */
    private static void awaitQuiet(JobClient client, Path work) throws IOException {
        int before = number(Objects.requireNonNull(last(checkpoints(client, work))));
        await().atMost(GoldenJob.patience())
                .until(() -> number(Objects.requireNonNull(last(checkpoints(client, work)))) >= before + 4);
    }

    private static Path cancel(JobClient client, Path work) throws Exception {
        client.cancel().get(30, TimeUnit.SECONDS);
        return Objects.requireNonNull(last(checkpoints(client, work)));
    }

    private static Path checkpoints(JobClient client, Path work) {
        return work.resolve("checkpoints").resolve(client.getJobID().toHexString());
    }

    private static @Nullable Path last(Path checkpoints) throws IOException {
        try (Stream<Path> all = Files.list(checkpoints)) {
            return all.filter(path -> Files.exists(path.resolve(METADATA)))
                    .max(Comparator.comparingInt(GoldenStateIT::number))
                    .orElse(null);
        }
    }

    private static int number(Path checkpoint) {
        return Integer.parseInt(checkpoint.getFileName().toString().replace("chk-", ""));
    }
}
