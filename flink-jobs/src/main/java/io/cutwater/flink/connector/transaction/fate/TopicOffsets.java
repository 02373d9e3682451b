package io.cutwater.flink.connector.transaction.fate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Offsets in topic partitions of one or more topics. */
public final class TopicOffsets {
    private final Map<String, OffsetRanges> byTopic = new TreeMap<>();

    private @Nullable String lastTopic;
    private OffsetRanges last = new OffsetRanges();

    public void add(String topic, int topicPartition, long offset) {
        if (!topic.equals(lastTopic)) {
            lastTopic = topic;
            last = byTopic.computeIfAbsent(topic, name -> new OffsetRanges());
        }
        last.add(topicPartition, offset);
    }

    Map<String, OffsetRanges> byTopic() {
        return byTopic;
    }

    /** Returns the number of offsets. */
    public long count() {
        return byTopic.values().stream().mapToLong(OffsetRanges::count).sum();
    }

    void write(DataOutput out) throws IOException {
        out.writeInt(byTopic.size());
        for (Map.Entry<String, OffsetRanges> topic : byTopic.entrySet()) {
            out.writeUTF(topic.getKey());
            topic.getValue().write(out);
        }
    }

    static TopicOffsets read(DataInput in) throws IOException {
        TopicOffsets offsets = new TopicOffsets();
        int topics = in.readInt();
        for (int i = 0; i < topics; i++) {
            String topic = in.readUTF();
            offsets.byTopic.put(topic, OffsetRanges.read(in));
        }
        return offsets;
    }
}
