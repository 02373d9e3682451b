package io.cutwater.flink.connector.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.reader.ReadMark;
import io.cutwater.kafka.topic.TopicIdentity;
import java.io.IOException;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitSerializer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class TopicSplitSerializerTest {
    private final TopicSplitSerializer serializer = new TopicSplitSerializer();
    private final KafkaPartitionSplit place = new KafkaPartitionSplit(new TopicPartition("edges", 3), 1_000, 2_000);

    @Test
    void aSplitIsReadAsItWasWritten() throws IOException {
        TopicSplit full =
                new TopicSplit(place, new TopicIdentity("cluster", "topic"), new ReadMark(999, 7, -5), 40, "run");
        TopicSplit fresh = TopicSplit.fresh(place);

        assertThat(read(full)).isEqualTo(full);
        assertThat(read(fresh)).isEqualTo(fresh);
    }

    private TopicSplit read(TopicSplit split) throws IOException {
        return serializer.deserialize(serializer.getVersion(), serializer.serialize(split));
    }

    @Test
    void theStateOfBuildsThatUsedFlinksSourceIsRead() throws IOException {
        KafkaPartitionSplitSerializer flinks = new KafkaPartitionSplitSerializer();

        TopicSplit split = serializer.deserialize(flinks.getVersion(), flinks.serialize(place));

        assertThat(split.place()).isEqualTo(place);
        assertThat(split.identity()).isNull();
        assertThat(split.isOfEarlierBuild()).isTrue();
    }

    @Test
    void theStateOfALaterBuildIsRefused() {
        assertThatThrownBy(() -> serializer.deserialize(TopicSplitSerializer.VERSION + 1, new byte[0]))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version 101; this build reads up to 100");
    }
}
