package io.cutwater.kafka.replay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.format.VertexSplit;
import io.cutwater.format.folder.ShardOutput;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.replay.ShardReader.Found;
import io.cutwater.state.partition.PartitioningKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes a shard that was read from its topic into a folder: edges in ascending order, vertices and their data, as in
 * the shards of an output folder. The same shard gives the same bytes.
 *
 * <p>Two things differ, because the records of one shard do not have them: in an edge partitioning every vertex has
 * role {@code replica}, and the degree counts only the edges of this shard.
 */
public final class ShardFiles {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ShardFiles() {}

    /**
     * Writes the folder.
     *
     * @param topic for the summary
     * @param texts of all vertices of the shard; null if ids are integers
     * @return the summary, which is also in {@link ShardOutput#SUMMARY}
     * @throws IOException if the folder may not be written, or the features of two vertices differ in length; the
     *     message is meant for users
     */
    public static ObjectNode write(
            Found found,
            String topic,
            ShardOutput.@Nullable VertexText texts,
            TableFormat format,
            Path dir,
            boolean overwrite)
            throws IOException {
        ShardReplay shard = found.shard();
        PartitioningKind kind = shard.kind().orElse(null);
        try (ShardOutput output = ShardOutput.open(dir, overwrite, shard.shard(), kind, format)) {
            writeEdges(shard, output);
            if (texts != null) {
                output.setTexts(texts);
            }
            ReplayedVertices vertices = shard.vertices();
            DataShape shape = new DataShape();
            long owned = 0;
            for (int i = 0; i < vertices.size(); i++) {
                output.addVertex(vertices.vertex(i), vertices.isOwned(i), vertices.degree(i));
                owned += vertices.isOwned(i) ? 1 : 0;
                shape.take(shard, vertices.vertex(i));
            }
            ObjectNode summary = summary(found, topic);
            if (kind == PartitioningKind.VERTEX) {
                summary.put("owned", owned).put("halo", vertices.size() - owned);
            }
            summary.put("verticesWithData", shape.known)
                    .put("features", shape.features)
                    .put("labels", shape.hasLabels)
                    .put("split", shape.hasSplit);
            output.complete(
                    vertex -> shard.data(vertex).orElse(null),
                    shape.features,
                    shape.hasLabels,
                    shape.hasSplit,
                    summary);
            return summary;
        }
    }

    private static void writeEdges(ShardReplay shard, ShardOutput output) throws IOException {
        try {
            shard.edges().forEach(edges -> {
                try {
                    output.addEdges(edges);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static ObjectNode summary(Found found, String topic) {
        ShardReplay shard = found.shard();
        ObjectNode summary = JSON.createObjectNode();
        summary.put("topic", topic).put("shard", shard.shard());
        shard.kind().ifPresent(kind -> summary.put("kind", kind.label()));
        return summary.put("topicPartition", found.topicPartition())
                .put("offset", found.offset())
                .put("generation", shard.generation());
    }

    /** The arrays that the vertex data of a shard need. */
    private static final class DataShape {
        private int features;
        private boolean hasLabels;
        private boolean hasSplit;
        private long known;

        void take(ShardReplay shard, long vertex) throws IOException {
            VertexRecord data = shard.data(vertex).orElse(null);
            if (data == null) {
                return;
            }
            known++;
            int length = data.features().width();
            if (features > 0 && length > 0 && length != features) {
                throw new IOException(
                        "in shard %d vertex %d has %d features, and others have %d; write it again onto topic vertices"
                                .formatted(shard.shard(), vertex, length, features));
            }
            features = Math.max(features, length);
            hasLabels |= data.label() != VertexRecord.NO_LABEL;
            hasSplit |= data.split() != VertexSplit.NONE;
        }
    }
}
