package io.cutwater.kafka.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.input.EdgeFiles;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.ingest.EdgeFileIngest.FileResult;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.testkit.BrokerExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class EdgeFileIngestRecoveryTest {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private IngestScene scene;

    @BeforeEach
    void createTopics(@TempDir Path folder) {
        scene = new IngestScene(broker.bootstrapServers(), folder);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void writesEveryEdgeOnceHoweverOftenItFails(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        List<IngestFile> files = scene.files(3);
        int failures = 0;
        boolean isDone = false;
        while (!isDone) {
            // The later the run the longer the way to the failure, so that the runs come to an end.
            AtomicLong readsLeft = new AtomicLong(random.nextLong(1, 40 + 10L * failures));
            try {
                scene.ingest(IngestScene.failingAfter(readsLeft)).run(files);
                isDone = true;
            } catch (IOException e) {
                assertThat(e).hasMessage("injected");
                failures++;
            }
        }
        assertThat(failures).isPositive();
        assertThat(scene.committedEdges(EdgeEventFormat.BATCH)).isEqualTo(IngestScene.expected(3));
        assertThat(scene.deadLetters()).isEqualTo(3);
        assertThat(scene.notes).anyMatch(note -> note.contains(": resumes after its first "));
    }

    @Test
    void theSecondIngestOfAFileStopsTheFirst() throws Exception {
        List<IngestFile> files = scene.files(1);
        CountDownLatch halfWay = new CountDownLatch(1);
        CountDownLatch secondIsDone = new CountDownLatch(1);
        AtomicLong reads = new AtomicLong();
        EdgeFileIngest first = new EdgeFileIngest(
                scene.options(EdgeEventFormat.BATCH, false),
                scene,
                (path, format, from) -> IngestScene.beforeEachRead(EdgeFiles.open(path, format, from), () -> {
                    if (reads.incrementAndGet() == 8) {
                        halfWay.countDown();
                        await(secondIsDone);
                    }
                }));
        FutureTask<EdgeFileIngest.Result> firstRun = new FutureTask<>(() -> first.run(files));
        new Thread(firstRun, "first ingest").start();
        halfWay.await();
        EdgeFileIngest.Result second = scene.ingest(EdgeFiles::open).run(files);
        secondIsDone.countDown();

        assertThatThrownBy(firstRun::get)
                .cause()
                .isInstanceOf(BrokerException.class)
                .hasMessageStartingWith("another ingest of " + files.get(0).path() + " has begun, so this one stops; ");
        assertThat(second.files().get(0).edgesBefore()).isPositive();
        assertThat(scene.committedEdges(EdgeEventFormat.BATCH)).isEqualTo(IngestScene.expected(1));
    }

    @Test
    void seesItsProgressBehindTheOpenTransactionOfAnotherFile() throws Exception {
        List<IngestFile> files = scene.files(1);
        try (KafkaProducer<byte[], byte[]> other = new KafkaProducer<>(ClientSettings.producer(
                broker.bootstrapServers(), Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "other")))) {
            other.initTransactions();
            AtomicLong reads = new AtomicLong();
            EdgeFileIngest failing = scene.ingest((path, format, from) ->
                    IngestScene.beforeEachRead(EdgeFiles.open(path, format, from), () -> {
                        if (reads.incrementAndGet() == 1) {
                            other.beginTransaction();
                            other.send(new ProducerRecord<>(
                                    scene.topics.ingestProgress(), new byte[] {1}, new byte[] {1}));
                            other.flush();
                        } else if (reads.get() == 20) {
                            throw new IOException("injected");
                        }
                    }));
            assertThatThrownBy(() -> failing.run(files)).hasMessage("injected");
            FutureTask<EdgeFileIngest.Result> second =
                    new FutureTask<>(() -> scene.ingest(EdgeFiles::open).run(files));
            new Thread(second, "second ingest").start();
            assertThatThrownBy(() -> second.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
            other.abortTransaction();
            assertThat(second.get().files().get(0).edgesBefore()).isPositive();
        }
        assertThat(scene.committedEdges(EdgeEventFormat.BATCH)).isEqualTo(IngestScene.expected(1));
    }

    @Test
    void aRestartWritesAllEdgesAgainAndIsItselfResumable() throws IOException {
        List<IngestFile> files = scene.files(1);
        scene.ingest(EdgeFiles::open).run(files);
        EdgeFileIngest restart = new EdgeFileIngest(
                scene.options(EdgeEventFormat.BATCH, true), scene, IngestScene.failingAfter(new AtomicLong(4)));
        assertThatThrownBy(() -> restart.run(files)).hasMessage("injected");
        FileResult resumed = scene.ingest(EdgeFiles::open).run(files).files().get(0);
        assertThat(resumed.wasFinished()).isFalse();
        assertThat(resumed.edgesBefore() + resumed.edges()).isEqualTo(IngestScene.EDGES);
        List<String> twice = new ArrayList<>(IngestScene.expected(1));
        twice.addAll(IngestScene.expected(1));
        Collections.sort(twice);
        assertThat(scene.committedEdges(EdgeEventFormat.BATCH)).isEqualTo(twice);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
