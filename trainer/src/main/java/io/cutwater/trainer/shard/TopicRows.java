package io.cutwater.trainer.shard;

import io.cutwater.kafka.record.VertexSplit;
import io.cutwater.trainer.journal.ShardJournal;
import java.io.IOException;

/**
 * What the records of a shard tell of its vertices. A row that a model has no use for, with another number of features,
 * is passed over; a class that it has no place for is none.
 */
final class TopicRows implements VertexRows {
    private final ShardJournal journal;
    private final TopicShard shard;
    private final VertexShape shape;
    private int beyondClasses;

    TopicRows(ShardJournal journal, TopicShard shard, VertexShape shape) {
        this.journal = journal;
        this.shard = shard;
        this.shape = shape;
    }

    @Override
    public int columns() {
        return shape.features();
    }

    /** Those of this shard, and not of all. */
    @Override
    public void readAll(RowConsumer consumer) throws IOException {
        beyondClasses = 0;
        float[] features = new float[shape.features()];
        journal.readRows(row -> {
            if (row.features().width() == shape.features() && shard.hasVertex(row.vertex())) {
                row.features().copyTo(features);
                boolean isBeyond = row.label() >= shape.classes();
                beyondClasses += isBeyond ? 1 : 0;
                consumer.accept(
                        row.vertex(), features, isBeyond ? -1 : row.label(), isBeyond ? VertexSplit.NONE : row.split());
            }
        });
    }

    @Override
    public void readShard(int shard, RowConsumer consumer) throws IOException {
        readAll(consumer);
    }

    @Override
    public VertexIds alone() {
        return VertexIds.firstOf(0);
    }

    /** Vertices of the shard with such a class, when they were read last. */
    int beyondClasses() {
        return beyondClasses;
    }
}
