package io.cutwater.kafka.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.EdgeFileReader;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import io.cutwater.kafka.event.EdgeEventDecoder;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RandomEdges;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.progress.IngestListener;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Topics and files of one test of {@link EdgeFileIngest}, and what is in the topics. */
final class IngestScene implements IngestListener {
    /** In each file. */
    static final int EDGES = 20_000;

    private static final AtomicLong COUNT = new AtomicLong();

    final List<String> notes = Collections.synchronizedList(new ArrayList<>());
    final Topics topics = new Topics("scene" + COUNT.incrementAndGet() + ".");
    private final String bootstrapServers;
    final Path folder;
    private long edgesToldOf;

    IngestScene(String bootstrapServers, Path folder) {
        this.bootstrapServers = bootstrapServers;
        this.folder = folder;
        try (TopicAdmin admin = TopicAdmin.connect(bootstrapServers, Map.of())) {
            admin.ensure(
                    topics.spec(topics.edges(), 2),
                    topics.spec(topics.deadLetters(), 1),
                    topics.spec(topics.ingestProgress(), 1));
        }
    }

    /** Files of {@link #EDGES} edges and one malformed line. */
    List<IngestFile> files(int count) throws IOException {
        List<IngestFile> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            StringBuilder text = new StringBuilder("malformed\n");
            EdgeBatch edges = RandomEdges.batch(i, EDGES, false, false);
            for (int at = 0; at < EDGES; at++) {
                text.append(edges.source(at))
                        .append(' ')
                        .append(edges.target(at))
                        .append('\n');
            }
            Path path = Files.writeString(folder.resolve("edges" + i + ".txt"), text);
            files.add(new IngestFile(path, EdgeFileFormat.TEXT));
        }
        return files;
    }

    static List<String> expected(int files) {
        List<String> edges = new ArrayList<>();
        for (int i = 0; i < files; i++) {
            edges.addAll(RandomEdges.edges(RandomEdges.batch(i, EDGES, false, false)));
        }
        Collections.sort(edges);
        return edges;
    }

    List<String> committedEdges(EdgeEventFormat format) {
        EdgeBatch read = new EdgeBatch();
        EdgeEventDecoder decoder = format.decoder();
        reader().readAll(topics.edges(), r -> decoder.decode(r, read));
        return RandomEdges.edges(read).stream().sorted().toList();
    }

    /** Returns the rows of each of the two topic partitions. */
    List<EdgeBatch> committedRows(RecordFormat format) {
        List<EdgeBatch> partitions = List.of(new EdgeBatch(), new EdgeBatch());
        EdgeEventDecoder decoder = format.decoder(null);
        reader().readAll(topics.edges(), r -> decoder.decode(r, partitions.get(r.partition())));
        return partitions;
    }

    long deadLetters() {
        return reader().readAll(topics.deadLetters(), letter -> {});
    }

    private TopicReader reader() {
        return new TopicReader(bootstrapServers, Map.of());
    }

    EdgeFileIngest ingest(EdgeFileIngest.Opener opener) {
        return new EdgeFileIngest(options(EdgeEventFormat.BATCH, false), this, opener);
    }

    EdgeFileIngestOptions options(EdgeEventFormat format, boolean restart) {
        return new EdgeFileIngestOptions(target(topics.edges(), format), topics.ingestProgress(), 3, 3000, restart);
    }

    EdgeFileIngestOptions removing() {
        IngestOptions removing = new IngestOptions(
                bootstrapServers,
                topics.edges(),
                topics.deadLetters(),
                EdgeEventFormat.BATCH,
                512,
                0,
                Map.of(),
                EdgeOperation.REMOVE);
        return new EdgeFileIngestOptions(removing, topics.ingestProgress(), 3, 3000, false);
    }

    IngestOptions target(String topic, EdgeEventFormat format) {
        return new IngestOptions(
                bootstrapServers, topic, topics.deadLetters(), format, 512, 0, Map.of("max.block.ms", "2000"));
    }

    @Override
    public synchronized void progress(long edges, double share) {
        assertThat(share).isBetween(0.0, 1.0);
        edgesToldOf = edges;
    }

    synchronized long edgesToldOf() {
        return edgesToldOf;
    }

    @Override
    public void note(String sentence) {
        notes.add(sentence);
    }

    static EdgeFileIngest.Opener failingAfter(AtomicLong reads) {
        return (path, format, from) -> beforeEachRead(EdgeFiles.open(path, format, from), () -> {
            if (reads.decrementAndGet() < 0) {
                throw new IOException("injected");
            }
        });
    }

    interface Step {
        void run() throws IOException;
    }

    /** Reads few edges at a time, and does something before each read. */
    static EdgeFileReader beforeEachRead(EdgeFileReader reader, Step step) {
        return new EdgeFileReader() {
            @Override
            public boolean read(EdgeBatch batch, int maxEdges) throws IOException {
                step.run();
                return reader.read(batch, 700);
            }

            @Override
            public EdgeFilePosition position() {
                return reader.position();
            }

            @Override
            public long bytesRead() {
                return reader.bytesRead();
            }

            @Override
            public void close() throws IOException {
                reader.close();
            }
        };
    }
}
