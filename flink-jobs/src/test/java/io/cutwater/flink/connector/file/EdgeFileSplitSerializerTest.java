package io.cutwater.flink.connector.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.input.EdgeFileFormat;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class EdgeFileSplitSerializerTest {
    private static final EdgeFileSplit BEGUN =
            new EdgeFileSplit(2, 1, "graph ü.txt", EdgeFileFormat.TEXT, new EdgeFilePosition(1L << 40, 7, 3), 1L << 41);
    private static final EdgeFileSplit WAITING =
            new EdgeFileSplit(3, 1, "graph.npy", EdgeFileFormat.NPY, EdgeFilePosition.START, 1L << 42);

    @Test
    void readsTheSplitOfAReader() throws IOException {
        EdgeFileSplitSerializer serializer = new EdgeFileSplitSerializer();
        assertThat(serializer.deserialize(serializer.getVersion(), serializer.serialize(BEGUN)))
                .isEqualTo(BEGUN);
    }

    @Test
    void readsTheWaitingSplitsOfAnEnumerator() throws IOException {
        EdgeFileSplitSerializer.Waiting serializer = new EdgeFileSplitSerializer.Waiting();
        for (List<EdgeFileSplit> splits : List.of(List.of(BEGUN, WAITING), List.<EdgeFileSplit>of())) {
            assertThat(serializer.deserialize(serializer.getVersion(), serializer.serialize(splits)))
                    .isEqualTo(splits);
        }
    }

    @Test
    void refusesAnotherVersion() throws IOException {
        EdgeFileSplitSerializer.Waiting serializer = new EdgeFileSplitSerializer.Waiting();
        byte[] bytes = serializer.serialize(List.of(WAITING));
        assertThatThrownBy(() -> serializer.deserialize(2, bytes))
                .isInstanceOf(IOException.class)
                .hasMessage("file splits of version 2; this build reads 1");
    }
}
