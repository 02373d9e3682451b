package io.cutwater.trainer.shard;

import io.cutwater.kafka.client.ShardTopicReader.ChangeHandler;
import io.cutwater.kafka.record.ShardRecordCodec.Header;
import io.cutwater.kafka.record.VertexRecord;
import io.cutwater.state.graph.EdgeBatch;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks through the records of shards for features and classes, and holds none. */
final class ShapeScan implements ChangeHandler {
    /** Offsets of each topic partition that are read before it is looked whether that is enough. */
    private static final long STEP = 5_000;

    private final int classes;
    private final Map<Integer, Long> read = new HashMap<>();
    private int features;
    private int highestClass = -1;

    /** Reads some of the records into this. */
    interface Part {
        void read(Map<Integer, Long> from, Map<Integer, Long> to);
    }

    /** @param classes how many there are; 0: that is to be found, in all of the records */
    ShapeScan(int classes) {
        this.classes = classes;
    }

    /**
     * Reads on, from what is there still to some offsets; null if there is no vertex yet that has what is looked for.
     */
    @Nullable VertexShape read(Map<Integer, Long> begins, Map<Integer, Long> ends, Part part) {
        boolean isRead = false;
        while (!isRead) {
            Map<Integer, Long> from = new HashMap<>();
            Map<Integer, Long> to = new HashMap<>();
            ends.forEach((topicPartition, end) -> {
                long begin = Math.max(begins.getOrDefault(topicPartition, 0L), read.getOrDefault(topicPartition, 0L));
                from.put(topicPartition, begin);
                to.put(topicPartition, classes == 0 ? end : Math.min(end, begin + STEP));
            });
            part.read(from, to);
            read.putAll(to);
            isRead = to.equals(ends) || classes > 0 && features > 0;
        }
        int found = classes == 0 ? highestClass + 1 : classes;
        return features == 0 || found == 0 ? null : new VertexShape(features, found);
    }

    @Override
    public void edges(int shard, Header header, EdgeBatch edges) {
        // They say nothing of features.
    }

    @Override
    public void data(int shard, VertexRecord vertex) {
        features = Math.max(features, vertex.features().width());
        highestClass = Math.max(highestClass, vertex.label());
    }
}
