package io.cutwater.deploy.local;

import io.cutwater.deploy.view.Progress;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.input.InputPosition;
import io.cutwater.flink.connector.input.OrderedInput;
import io.cutwater.format.text.VertexNames;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.text.VertexTexts;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The texts of a topic whose ids are hashes of them, read before the job: it knows the hashes only. */
final class TopicNames {
    private TopicNames() {}

    /**
     * Reads the topic once.
     *
     * @param edges a topic between two offsets
     * @throws IOException if two texts have the same hash, or the topic cannot be read; the message is meant for users
     */
    static VertexNames read(EdgeInput edges, Progress.Display display) throws IOException, InterruptedException {
        VertexNames names = new VertexNames();
        Set<Long> removed = new HashSet<>();
        try (Progress progress = display.begin("read texts");
                OrderedInput rows = OrderedInput.open(edges, InputPosition.START)) {
            for (EdgeBatch batch = new EdgeBatch(); rows.read(batch); batch.clear()) {
                VertexTexts texts = batch.texts();
                for (int i = 0; i < texts.size(); i++) {
                    names.add(texts.id(i), texts.bytes(), texts.from(i), texts.to(i));
                }
                findRemoved(batch, removed);
                progress.update(batch.progress(), (double) batch.progress() / Math.max(1, edges.length()), "");
            }
        }
        List<String> same = names.namesWithOneId();
        if (!same.isEmpty()) {
            throw new IOException("the vertices '%s' and '%s' have the same 64-bit hash; give another --ids-seed"
                    .formatted(same.get(0), same.get(1)));
        }
        return removed.isEmpty() ? names : names.without(removed);
    }

    /** Adds the vertices that are removed, and takes out those that come again. */
    private static void findRemoved(EdgeBatch batch, Set<Long> removed) {
        if (!batch.hasRemovals() && removed.isEmpty()) {
            return;
        }
        for (int row = 0; row < batch.size(); row++) {
            if (batch.isVertexRemoval(row)) {
                removed.add(batch.source(row));
            } else if (!batch.isRemoval(row)) {
                removed.remove(batch.source(row));
                removed.remove(batch.target(row));
            }
        }
    }
}
