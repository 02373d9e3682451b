package io.cutwater.deploy.input;

import io.cutwater.deploy.view.Progress;
import io.cutwater.kafka.event.EdgeTopicTail;
import io.cutwater.kafka.ingest.EdgeSupplier;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All edges of some files in memory, 16 bytes each and up to half as much spare room; without weights and timestamps.
 *
 * @param edges in the order of the files, or in a random one
 * @param deadLetters malformed records
 * @param firstDeadLetter the first of them
 */
public record EdgesInMemory(EdgeBatch edges, long deadLetters, Optional<RejectedRecord> firstDeadLetter) {

    /**
     * Reads the files.
     *
     * @param shuffleSeed of a random order, which needs another 20 bytes an edge for a while; null for the order of the
     *     files
     * @throws IOException if a file cannot be read; the message is meant for users
     */
    public static EdgesInMemory read(InputRequest.Files files, @Nullable Long shuffleSeed, Progress.Display display)
            throws IOException {
        try (EdgeFileSupplier supplier = new EdgeFileSupplier(files);
                Progress progress = display.begin("read")) {
            EdgeSupplier ordered = shuffleSeed == null ? supplier : new ShuffledEdges(supplier, shuffleSeed);
            EdgeBatch edges = new EdgeBatch();
            long deadLetters = 0;
            for (EdgeBatch batch = new EdgeBatch(); ordered.next(batch); batch.clear()) {
                for (int i = 0; i < batch.size(); i++) {
                    edges.add(batch.source(i), batch.target(i));
                }
                deadLetters += batch.rejected().size();
                progress.update(edges.size(), supplier.share(), "");
            }
            return new EdgesInMemory(edges, deadLetters, supplier.firstRejected());
        }
    }

    /**
     * Reads the newest edges of a topic; removals are left out, and so are records that a later one of their key
     * replaces, and edges of a vertex that is removed later.
     *
     * @param last number of edges at most, at least 1
     * @param shuffleSeed of a random order; null for the order of the topic
     * @throws io.cutwater.kafka.topic.BrokerException if the topic cannot be read; the message is meant for users
     */
    public static EdgesInMemory read(
            InputRequest.Topic topic, long last, @Nullable Long shuffleSeed, Progress.Display display)
            throws IOException {
        display.say("reading the newest edges of topic " + topic.topic());
        EdgeBatch tail =
                new EdgeTopicTail(topic.bootstrapServers(), topic.client(), topic.format()).read(topic.topic(), last);
        EdgeBatch newest = new EdgeBatch();
        int first = (int) Math.max(0, tail.size() - last);
        Map<Long, Integer> newestOfKey = new HashMap<>();
        for (int i = first; tail.hasKeys() && i < tail.size(); i++) {
            newestOfKey.put(tail.key(i), i);
        }
        Map<Long, Integer> removalOfVertex = new HashMap<>();
        for (int i = first; tail.hasRemovals() && i < tail.size(); i++) {
            if (tail.isVertexRemoval(i)) {
                removalOfVertex.put(tail.source(i), i);
            }
        }
        for (int i = first; i < tail.size(); i++) {
            boolean isGone = removalOfVertex.getOrDefault(tail.source(i), 0) > i
                    || removalOfVertex.getOrDefault(tail.target(i), 0) > i;
            if (!isGone && !tail.isRemoval(i) && (!tail.hasKeys() || newestOfKey.getOrDefault(tail.key(i), i) == i)) {
                newest.add(tail.source(i), tail.target(i));
            }
        }
        EdgeBatch edges = newest;
        if (shuffleSeed != null) {
            edges = new EdgeBatch();
            ShuffledEdges shuffled = new ShuffledEdges(once(newest), shuffleSeed);
            for (EdgeBatch batch = new EdgeBatch(); shuffled.next(batch); batch.clear()) {
                edges.addAll(batch);
            }
        }
        return new EdgesInMemory(
                edges, tail.rejected().size(), tail.rejected().stream().findFirst());
    }

    private static EdgeSupplier once(EdgeBatch edges) {
        boolean[] isRead = new boolean[1];
        return into -> {
            if (isRead[0]) {
                return false;
            }
            isRead[0] = true;
            into.addAll(edges);
            return true;
        };
    }
}
