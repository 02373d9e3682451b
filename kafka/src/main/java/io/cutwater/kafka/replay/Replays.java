package io.cutwater.kafka.replay;

import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.reader.ReadListener;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardTopicReader.ChangeHandler;
import io.cutwater.state.graph.EdgeBatch;
import java.util.Map;
import java.util.TreeMap;

/** Applies the records of a topic to the shards that they are of. */
class Replays implements ChangeHandler {
    private static final int ALL = -1;

    private final Map<Integer, ShardReplay> shards = new TreeMap<>();
    private final int wanted;
    private final ReadListener listener;
    private double offsets;
    private long records;
    private long changes;

    /** All shards. */
    Replays(ReadListener listener) {
        this(ALL, listener);
    }

    /** One shard only. */
    Replays(int wanted, ReadListener listener) {
        this.wanted = wanted;
        this.listener = listener;
    }

    /** @param offsets how many will be read next, marks of transactions among them */
    Replays begin(long offsets) {
        this.offsets = offsets;
        records = 0;
        return this;
    }

    /** By number, those of which there was a record. */
    Map<Integer, ShardReplay> shards() {
        return shards;
    }

    /** One shard, empty if there was no record of it. */
    ShardReplay replay(int shard) {
        return shards.computeIfAbsent(shard, ShardReplay::new);
    }

    @Override
    public boolean wants(int shard) {
        listener.read(changes, Math.min(1, records / offsets));
        records++;
        return wanted == ALL || wanted == shard;
    }

    @Override
    public void edges(int shard, Header header, EdgeBatch edges) {
        changes += edges.size();
        replay(shard).apply(header, edges);
    }

    @Override
    public void data(int shard, VertexRecord vertex) {
        replay(shard).apply(vertex);
    }

    @Override
    public void gone(int shard, long vertex) {
        replay(shard).forget(vertex);
    }
}
