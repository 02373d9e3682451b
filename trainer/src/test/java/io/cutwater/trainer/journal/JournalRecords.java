package io.cutwater.trainer.journal;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.kafka.shard.ShardTopicReader.ChangeHandler;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A fake topic partition in which each record is one change of the shard. */
final class JournalRecords {
    static final int SHARD = 3;

    final List<Consumer<ChangeHandler>> changes = new ArrayList<>();
    final List<Long> begins = new ArrayList<>();
    long failsAt = Long.MAX_VALUE;

    void read(long from, long to, ChangeHandler into) throws IOException {
        begins.add(from);
        for (long offset = from; offset < to; offset++) {
            if (offset == failsAt) {
                failsAt = Long.MAX_VALUE;
                throw new IOException("the broker has gone");
            }
            changes.get((int) offset).accept(into);
        }
    }

    long end() {
        return changes.size();
    }

    void add(boolean enters, long source, long target, int place) {
        EdgeBatch batch = new EdgeBatch();
        batch.add(source, target);
        if (place != EdgeBatch.NO_PLACE) {
            batch.setPlace(0, place);
        }
        Kind kind = enters ? Kind.ADD : Kind.REMOVE;
        changes.add(handler -> handler.edges(SHARD, new Header(kind, 0), batch));
    }

    void data(long vertex, int label, float... features) {
        VertexRecord row = new VertexRecord(vertex, features, label, VertexSplit.TRAIN);
        changes.add(handler -> handler.data(SHARD, row));
    }

    void gone(long vertex) {
        changes.add(handler -> handler.gone(SHARD, vertex));
    }

    /** Returns what the journal should have at an offset. */
    Map<String, Object> at(long offset) {
        JournalContents contents = new JournalContents();
        changes.subList(0, (int) offset).forEach(change -> change.accept(contents));
        return contents.expected();
    }
}
