package io.cutwater.flink.connector.topic;

import io.cutwater.kafka.reader.ReadMark;
import io.cutwater.kafka.topic.TopicIdentity;
import java.io.IOException;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Serializes a topic partition in a checkpoint.
 *
 * <pre>
 *   version 4 bytes, length 4, then as Flink's Kafka source has it
 *   the ids of the cluster and of the topic, each as modified UTF-8, empty if they are not known
 *   whether a last record is known 1 byte, then its offset 8, leader epoch 4, hash 8
 *   lost 8, run as modified UTF-8
 * </pre>
 *
 * A version below {@link #VERSION} is one of Flink's Kafka source: earlier builds kept nothing else.
 */
final class TopicSplitSerializer implements SimpleVersionedSerializer<TopicSplit> {
    /** Far from the versions of Flink's Kafka source, whose state is also read. */
    static final int VERSION = 100;

    private final KafkaPartitionSplitSerializer places = new KafkaPartitionSplitSerializer();

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(TopicSplit split) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(256);
        byte[] place = places.serialize(split.place());
        out.writeInt(places.getVersion());
        out.writeInt(place.length);
        out.write(place);
        TopicIdentity identity = split.identity();
        out.writeUTF(identity == null ? "" : identity.clusterId());
        out.writeUTF(identity == null ? "" : identity.topicId());
        ReadMark last = split.last();
        out.writeBoolean(last != null);
        if (last != null) {
            out.writeLong(last.offset());
            out.writeInt(last.leaderEpoch());
            out.writeLong(last.hash());
        }
        out.writeLong(split.lost());
        out.writeUTF(split.run());
        return out.getCopyOfBuffer();
    }

    @Override
    public TopicSplit deserialize(int version, byte[] bytes) throws IOException {
        if (version < VERSION) {
            return TopicSplit.ofEarlierBuild(places.deserialize(version, bytes));
        }
        if (version > VERSION) {
            throw new IOException(
                    "the split of a topic of version %d; this build reads up to %d, use the build that wrote it"
                            .formatted(version, VERSION));
        }
        DataInputDeserializer in = new DataInputDeserializer(bytes);
        int placeVersion = in.readInt();
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("%d bytes are no split of a topic".formatted(bytes.length));
        }
        byte[] place = new byte[length];
        in.readFully(place);
        KafkaPartitionSplit at = places.deserialize(placeVersion, place);
        TopicIdentity identity = new TopicIdentity(in.readUTF(), in.readUTF());
        ReadMark last = in.readBoolean() ? new ReadMark(in.readLong(), in.readInt(), in.readLong()) : null;
        return new TopicSplit(at, identity.topicId().isEmpty() ? null : identity, last, in.readLong(), in.readUTF());
    }
}
