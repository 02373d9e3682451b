package io.cutwater.flink.connector.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicPieceTest {
    private static final Map<Integer, Long> FROM = Map.of(0, 3L, 1, 0L, 4, 7L, 9, 5L);
    private static final Map<Integer, Long> UNTIL = Map.of(0, 20L, 1, 0L, 4, 8L, 9, 30L);

    @ParameterizedTest(name = "{0} pieces")
    @ValueSource(ints = {1, 2, 3, 5, 42, 43, 64})
    void piecesFollowEachOtherAndHaveAboutEquallyManyOffsets(int pieces) {
        EdgeInput.Topic topic = new EdgeInput.Topic(
                "host:1", "edges", new RecordFormat.Own(EdgeEventFormat.CSV), FROM, UNTIL, Map.of());
        List<String> all = new ArrayList<>();
        for (int number = 0; number < pieces; number++) {
            EdgeInput.Topic piece = topic.piece(number, pieces);
            assertThat(piece.length()).isBetween(topic.length() / pieces, topic.length() / pieces + 1);
            all.addAll(offsets(piece));
        }
        assertThat(all).isEqualTo(offsets(topic)).hasSize(43);
    }

    private static List<String> offsets(EdgeInput.Topic topic) {
        List<String> offsets = new ArrayList<>();
        for (int topicPartition : new TreeSet<>(topic.from().keySet())) {
            for (long offset = topic.from().get(topicPartition);
                    offset < topic.until().get(topicPartition);
                    offset++) {
                offsets.add(topicPartition + ":" + offset);
            }
        }
        return offsets;
    }
}
