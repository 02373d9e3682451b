package io.cutwater.kafka.replay;

import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.reader.ReadListener;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardTopicReader.ChangeHandler;
import io.cutwater.state.graph.EdgeBatch;
import java.util.Map;
import java.util.TreeMap;

/** Applies the records of a topic to their shards. */
class Replays implements ChangeHandler {
    private static final int ALL = -1;

    private final Map<Integer, ShardReplay> shards = new TreeMap<>();
    private final int wanted;
    private final ReadListener listener;
    private double offsets;
    private long records;
    private long changes;

    /** Replays all shards. */
    Replays(ReadListener listener) {
        this(ALL, listener);
    }

    /** Replays one shard. */
    Replays(int wanted, ReadListener listener) {
        this.wanted = wanted;
        this.listener = listener;
    }

    /** @param offsets the number of offsets to read next, including transaction markers */
    Replays begin(long offsets) {
        this.offsets = offsets;
        records = 0;
        return this;
    }

    /** Returns the shards with a record, by number. */
    Map<Integer, ShardReplay> shards() {
        return shards;
    }

    /** Returns a shard, empty if it has no record. */
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
