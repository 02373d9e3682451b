package io.cutwater.deploy.input;

import io.cutwater.deploy.view.Progress;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.ingest.EdgeFileIngest;
import io.cutwater.kafka.ingest.EdgeFileIngestOptions;
import io.cutwater.kafka.ingest.EdgeIngest;
import io.cutwater.kafka.ingest.EdgeOperation;
import io.cutwater.kafka.ingest.IngestFile;
import io.cutwater.kafka.ingest.IngestOptions;
import io.cutwater.kafka.progress.IngestListener;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.kafka.vertex.VertexFileIngest;
import io.cutwater.kafka.vertex.VertexIngestOptions;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes files to a topic, which is created if it is missing. */
public final class FileIngest {
    /** One topic partition keeps the order of the edges, and with it the result of a run. */
    private static final int ORDERED = 1;

    private FileIngest() {}

    /**
     * Writes all edges of the files, in their order.
     *
     * @param edgesPerSecond largest rate, 0 for none
     * @throws IOException if a file cannot be read; the message is meant for users
     */
    public static EdgeIngest.Result run(
            InputRequest.Files files, InputRequest.Topic to, long edgesPerSecond, Progress.Display display)
            throws IOException {
        IngestOptions options = prepare(to, EdgeOperation.ADD, edgesPerSecond);
        try (EdgeFileSupplier edges = new EdgeFileSupplier(files);
                Progress progress = display.begin("ingest")) {
            return new EdgeIngest(options, sent -> progress.update(sent, edges.share(), "")).run(edges);
        }
    }

    /**
     * Writes all edges in a random order that a seed determines; they are all held in memory, and an interrupted run
     * cannot be continued.
     *
     * @param operation what the edges are on the topic
     * @param edgesPerSecond largest rate, 0 for none
     */
    public static EdgeIngest.Result shuffled(
            InputRequest.Files files,
            InputRequest.Topic to,
            EdgeOperation operation,
            long edgesPerSecond,
            long seed,
            Progress.Display display)
            throws IOException {
        IngestOptions options = prepare(to, operation, edgesPerSecond);
        try (EdgeFileSupplier source = new EdgeFileSupplier(files);
                Progress progress = display.begin("ingest")) {
            ShuffledEdges edges = new ShuffledEdges(source, seed);
            return new EdgeIngest(options, sent -> progress.update(sent, edges.share(), "")).run(edges);
        }
    }

    /**
     * Writes the part of the files that earlier runs have not written, each edge once however often the run is
     * interrupted.
     *
     * @param mapping the fields of the files that make an edge; null for files of edges
     * @param areTexts whether the ends of edges are text
     * @param operation what the edges are on the topic
     * @param threads files at a time; with one, the edges keep the order of the files
     * @param restart whether the files are written from their beginning again
     */
    public static EdgeFileIngest.Result resume(
            InputRequest.Files files,
            @Nullable FieldMapping mapping,
            boolean areTexts,
            InputRequest.Topic to,
            EdgeOperation operation,
            long edgesPerSecond,
            int threads,
            boolean restart,
            Progress.Display display)
            throws IOException {
        IngestOptions target = prepare(to, operation, edgesPerSecond);
        EdgeFileIngestOptions options = new EdgeFileIngestOptions(
                target,
                to.topics().ingestProgress(),
                threads,
                EdgeFileIngestOptions.DEFAULT_EDGES_PER_TRANSACTION,
                restart);
        List<IngestFile> all = files.paths().stream()
                .map(path -> new IngestFile(path, files.formatOf(path), null, mapping, areTexts))
                .toList();
        try (Progress progress = display.begin("ingest")) {
            return new EdgeFileIngest(options, new Listener(progress, display)).run(all);
        }
    }

    /**
     * Writes the part of files of vertex data that earlier runs have not written onto the topic of vertices, each row
     * once.
     *
     * @param each files that belong together, one after the other
     * @param to the topic of edges beside the one of vertices
     * @return vertices that this run has written
     */
    public static long vertices(
            List<VertexFiles> each,
            InputRequest.Topic to,
            long verticesPerSecond,
            boolean restart,
            Progress.Display display)
            throws IOException {
        Topics topics = to.topics();
        try (TopicAdmin admin = TopicAdmin.connect(to.bootstrapServers(), to.client())) {
            admin.ensure(topics.spec(topics.vertices(), ORDERED), topics.spec(topics.ingestProgress(), ORDERED));
        }
        VertexIngestOptions options = new VertexIngestOptions(
                to.bootstrapServers(),
                topics.vertices(),
                topics.ingestProgress(),
                verticesPerSecond,
                VertexIngestOptions.DEFAULT_VERTICES_PER_TRANSACTION,
                restart,
                to.client());
        long written = 0;
        for (VertexFiles files : each) {
            try (Progress progress = display.begin("ingest vertices", "vertex")) {
                written += new VertexFileIngest(options, new Listener(progress, display))
                        .run(files)
                        .vertices();
            }
        }
        return written;
    }

    private record Listener(Progress progress, Progress.Display display) implements IngestListener {
        @Override
        public void progress(long edges, double share) {
            progress.update(edges, share, "");
        }

        @Override
        public void note(String sentence) {
            display.say(sentence);
        }
    }

    private static IngestOptions prepare(InputRequest.Topic to, EdgeOperation operation, long edgesPerSecond) {
        if (!(to.format() instanceof RecordFormat.Own own)) {
            throw new IllegalArgumentException("edges are written in a format of our own, not " + to.format());
        }
        Topics topics = to.topics();
        try (TopicAdmin admin = TopicAdmin.connect(to.bootstrapServers(), to.client())) {
            admin.ensure(
                    topics.spec(to.topic(), ORDERED),
                    topics.spec(topics.deadLetters(), ORDERED),
                    topics.spec(topics.ingestProgress(), ORDERED));
        }
        return new IngestOptions(
                to.bootstrapServers(),
                to.topic(),
                topics.deadLetters(),
                own.format(),
                IngestOptions.DEFAULT_EDGES_PER_RECORD,
                edgesPerSecond,
                to.client(),
                operation);
    }
}
