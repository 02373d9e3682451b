package io.cutwater.trainer.live;

import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardTopicReader.ChangeHandler;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.trainer.feature.Misfits;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.shard.DataShape;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Derives the shape of a model from the records of shards. The majority decides: a few records with another number of
 * features or an impossible label do not matter.
 */
final class ShapeScan implements ChangeHandler {
    /** Offsets per topic partition that are read between two checks. */
    private static final long STEP = 5_000;
    /** Number of vertices with the same number of features that settles that number. */
    private static final int ENOUGH = 1_000;

    private final ShapeOptions options;
    private final ShapeSample sample = new ShapeSample();
    private final Map<Integer, Long> read = new HashMap<>();
    private int highestClass = -1;

    /** Reads some of the records. */
    interface Part {
        void read(Map<Integer, Long> from, Map<Integer, Long> to);
    }

    /** @param options the part of the shape that the user chose; without the number of classes, all records are read */
    ShapeScan(ShapeOptions options) {
        this.options = options;
    }

    /**
     * Continues reading up to some offsets; returns null if no vertex has the required data yet. With embeddings
     * vertices have no features.
     */
    @Nullable DataShape read(Map<Integer, Long> begins, Map<Integer, Long> ends, Part part) {
        boolean isLearned = options.embeddings() > 0;
        if (isLearned && options.classes() > 0) {
            return new DataShape(0, options.classes()); // a prediction needs no vertex with a class
        }
        int features = 0;
        boolean isRead = false;
        while (!isRead) {
            Map<Integer, Long> from = new HashMap<>();
            Map<Integer, Long> to = new HashMap<>();
            ends.forEach((topicPartition, end) -> {
                long begin = Math.max(begins.getOrDefault(topicPartition, 0L), read.getOrDefault(topicPartition, 0L));
                from.put(topicPartition, begin);
                to.put(topicPartition, options.classes() == 0 ? end : Math.min(end, begin + STEP));
            });
            part.read(from, to);
            read.putAll(to);
            features = options.features() > 0 || isLearned ? options.features() : sample.commonWidth();
            isRead = to.equals(ends) || options.classes() > 0 && sample.count(features) >= ENOUGH;
        }
        int found = options.classes() == 0 ? highestClass + 1 : options.classes();
        boolean isMissing = features == 0 && !isLearned || found == 0 || sample.count(features) == 0;
        return isMissing ? null : new DataShape(features, found);
    }

    /** Returns the sampled vertices that do not fit a shape. */
    Misfits misfits(DataShape shape) {
        Misfits misfits = new Misfits(shape.features(), options.labelBound());
        sample.forEach(misfits::look);
        return misfits;
    }

    @Override
    public void edges(int shard, Header header, EdgeBatch edges) {
        // Edges have no features.
    }

    @Override
    public void data(int shard, VertexRecord vertex) {
        sample.put(shard, vertex.vertex(), vertex.features().width(), vertex.label());
        if (vertex.label() < options.maxClasses()) {
            highestClass = Math.max(highestClass, vertex.label());
        }
    }

    @Override
    public void gone(int shard, long vertex) {
        sample.gone(shard, vertex);
    }
}
