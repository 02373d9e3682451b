package io.cutwater.trainer.live;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.feature.Misfits;
import io.cutwater.trainer.feature.VertexIds;
import io.cutwater.trainer.feature.VertexRowSource;
import io.cutwater.trainer.journal.ShardJournal;
import io.cutwater.trainer.shard.DataShape;
import java.io.IOException;

/**
 * Vertex data from the records of a shard. Rows with another number of features are skipped; a class that the model
 * does not have counts as none.
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

    /** Reads the rows of this shard only. */
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

    /** Returns the vertices that did not fit in the last read. */
    Misfits misfits() {
        return misfits;
    }
}
