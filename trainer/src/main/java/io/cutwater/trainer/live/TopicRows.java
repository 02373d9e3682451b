package io.cutwater.trainer.live;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.feature.Misfits;
import io.cutwater.trainer.feature.VertexIds;
import io.cutwater.trainer.feature.VertexRowSource;
import io.cutwater.trainer.journal.ShardJournal;
import io.cutwater.trainer.shard.DataShape;
import java.io.IOException;

/**
 * What the records of a shard tell of its vertices. A row that a model has no use for, with another number of features,
 * is passed over; a class that it has no place for is none.
 */
final class TopicRows implements VertexRowSource {
    private final ShardJournal journal;
    private final TopicShard shard;
    private final DataShape shape;
    private Misfits misfits;

    TopicRows(ShardJournal journal, TopicShard shard, DataShape shape) {
        this.journal = journal;
        this.shard = shard;
        this.shape = shape;
        misfits = new Misfits(shape.features(), shape.classes());
    }

    @Override
    public int columns() {
        return shape.features();
    }

    /** Those of this shard, and not of all. */
    @Override
    public void readAll(RowConsumer consumer) throws IOException {
        Misfits found = new Misfits(shape.features(), shape.classes());
        float[] features = new float[shape.features()];
        journal.readRows(row -> {
            if (!shard.hasVertex(row.vertex())) {
                return;
            }
            found.look(row.vertex(), row.features().width(), row.label());
            if (row.features().width() == features.length) {
                row.features().copyTo(features);
                boolean isBeyond = row.label() >= shape.classes();
                consumer.accept(
                        row.vertex(), features, isBeyond ? -1 : row.label(), isBeyond ? VertexSplit.NONE : row.split());
            }
        });
        misfits = found;
    }

    @Override
    public void readShard(int shard, RowConsumer consumer) throws IOException {
        readAll(consumer);
    }

    @Override
    public VertexIds alone() {
        return VertexIds.firstOf(0);
    }

    /** Vertices of the shard that did not fit when they were read last. */
    Misfits misfits() {
        return misfits;
    }
}
