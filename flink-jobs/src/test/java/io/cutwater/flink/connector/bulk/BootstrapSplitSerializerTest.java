package io.cutwater.flink.connector.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.connector.bulk.BootstrapSplit.Stage;
import io.cutwater.flink.connector.bulk.work.BulkSplit;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.input.InputPosition;
import io.cutwater.flink.connector.restore.RestoreRule;
import io.cutwater.flink.connector.source.EdgeTopicSource;
import io.cutwater.format.EdgeFilePosition;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormat;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BootstrapSplitSerializerTest {
    private static final BulkSplit NEXT = new BulkSplit(1L << 40, new InputPosition(3, new EdgeFilePosition(5, 6, 7)));
    private static final String POSITION =
            "0000010000000000" + "00000003" + "0000000000000005" + "0000000000000006" + "0000000000000007";
    private static final EdgeInput.LiveTopic TOPIC = new EdgeInput.LiveTopic(
            "host:1",
            "edges",
            new RecordFormat.Own(EdgeEventFormat.CSV),
            Map.of(),
            false,
            false,
            null,
            Map.of(),
            new RestoreRule("run", "owner", false, false, false),
            1);
    private static final HexFormat HEX = HexFormat.of();

    private final BootstrapSplitSerializer serializer =
            new BootstrapSplitSerializer(EdgeTopicSource.live(TOPIC).getSplitSerializer());

    @Test
    void readsWhatItWrote() throws Exception {
        for (BootstrapSplit split : List.of(
                BootstrapSplit.ofHistory(Stage.OVER, NEXT, 4),
                BootstrapSplit.ofHistory(Stage.HISTORY, NEXT, 4),
                BootstrapSplit.ofHistory(Stage.EMITTED, NEXT, 64))) {
            assertThat(serializer.deserialize(serializer.getVersion(), serializer.serialize(split)))
                    .isEqualTo(split);
        }
    }

    @Test
    void theBytesAreThoseOfVersion2() throws Exception {
        assertThat(serializer.getVersion()).isEqualTo(2);
        assertThat(HEX.formatHex(serializer.serialize(BootstrapSplit.ofHistory(Stage.OVER, NEXT, 4))))
                .isEqualTo("0000000004");
        assertThat(HEX.formatHex(serializer.serialize(BootstrapSplit.ofHistory(Stage.HISTORY, NEXT, 4))))
                .isEqualTo("01" + "00000004" + "00000001" + POSITION);
        assertThat(HEX.formatHex(serializer.serialize(BootstrapSplit.ofHistory(Stage.EMITTED, NEXT, 4))))
                .isEqualTo("03" + "00000004" + "00000001" + POSITION);
    }

    @Test
    void readsTheBytesOfVersion1() throws Exception {
        assertThat(serializer.deserialize(1, HEX.parseHex("00")))
                .isEqualTo(BootstrapSplit.ofHistory(Stage.OVER, NEXT, 1));
        assertThat(serializer.deserialize(1, HEX.parseHex("01" + "00000001" + POSITION)))
                .isEqualTo(BootstrapSplit.ofHistory(Stage.HISTORY, NEXT, 1));
    }

    @Test
    void refusesOtherVersionsAndWhatIsCut() throws Exception {
        byte[] bytes = serializer.serialize(BootstrapSplit.ofHistory(Stage.OVER, NEXT, 4));
        assertThatThrownBy(() -> serializer.deserialize(3, bytes))
                .isInstanceOf(IOException.class)
                .hasMessage("the split of a bootstrap of version 3; this build reads 1 and 2");
        assertThatThrownBy(() -> serializer.deserialize(2, new byte[1]))
                .isInstanceOf(IOException.class)
                .hasMessage("1 bytes are no split of a bootstrap");
    }
}
