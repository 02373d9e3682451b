package io.cutwater.deploy.local;

import io.cutwater.deploy.view.Progress;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.vertex.VertexDataTable;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.vertex.VertexTopicReader;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.text.Counted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A topic with vertex data, read up to its ends when the run starts.
 *
 * @param client further settings of the Kafka client, with references instead of secrets
 * @param topic its full name
 * @param trainImbalance how far the partition with most training vertices may be above the average; null to only count
 *     them
 */
public record VertexTopic(
        String bootstrapServers,
        Map<String, String> client,
        String topic,
        @Nullable Double trainImbalance) {
    /**
     * Writes the newest data of each vertex into a file.
     *
     * @param folder in which the file is made
     * @param allowsMissingFeatures whether some vertices may have fewer features than others
     * @throws IOException if the topic cannot be read or has no vertex; the message is meant for users
     */
    VertexFiles toFile(Path folder, boolean allowsMissingFeatures, Progress.Display display) throws IOException {
        display.say("reading topic " + topic);
        Path file = folder.resolve("topic-" + topic + ".csv");
        try (VertexDataTable table = new VertexDataTable(folder)) {
            Rows rows = new Rows(table);
            new VertexTopicReader(bootstrapServers, client).readAll(topic, rows);
            if (rows.rejected > 0) {
                display.say("note: %s of topic %s %s malformed; the first: %s"
                        .formatted(
                                Counted.of(rows.rejected, "record"),
                                topic,
                                Counted.are(rows.rejected),
                                rows.firstReason));
            }
            long vertices = table.write(file);
            if (vertices == 0) {
                throw new IOException(
                        "topic %s has no vertex; leave --vertices-topic out, or fill it with ./cutwater ingest"
                                .formatted(topic));
            }
            if (table.narrowRows() > 0 && !allowsMissingFeatures) {
                throw new IOException(String.format(
                        Locale.ROOT,
                        "%,d of %,d vertices of topic %s, vertex %d among them, have fewer features than the %d of"
                                + " vertex %d; write them again, or give --allow-missing-features, with which those"
                                + " that they lack are 0",
                        table.narrowRows(),
                        vertices,
                        topic,
                        table.narrowVertex(),
                        table.features(),
                        table.widestVertex()));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return new VertexFiles(file, null, null);
    }

    private static final class Rows implements VertexTopicReader.VertexHandler {
        private final VertexDataTable table;
        private long rejected;
        private String firstReason = "";

        Rows(VertexDataTable table) {
            this.table = table;
        }

        @Override
        public void accept(VertexRecord vertex) {
            try {
                table.put(vertex);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void gone(long vertex) {
            try {
                table.remove(vertex);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void rejected(RejectedRecord record) {
            if (rejected++ == 0) {
                firstReason = record.reason();
            }
        }
    }
}
