package io.cutwater.flink.connector.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.types.shard.FolderRecord;
import io.cutwater.flink.types.shard.ShardBatch;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.placement.ShardChange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.connector.sink2.StatefulSinkWriter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FolderSinkTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(ShardChange.class)
    void takesEdgesAsTheyArePlacedAndNoneThatLeaveOrMove(ShardChange change) throws Exception {
        EdgeBatch edges = new EdgeBatch(1);
        edges.add(1, 2);
        FolderRecord record = new FolderRecord.Edges(new ShardBatch(0, change, 1, edges));
        FolderSink sink = new FolderSink(folder, 1);
        try (StatefulSinkWriter<FolderRecord, long[]> writer = sink.restoreWriter(null, List.of())) {
            if (change == ShardChange.ADD) {
                writer.write(record, null);
                assertThat(writer.snapshotState(1).get(0)[0]).isPositive();
            } else {
                assertThatThrownBy(() -> writer.write(record, null))
                        .isInstanceOf(IOException.class)
                        .hasMessage(
                                "an output folder cannot contain removed or moved edges (%s);"
                                        + " write a stream with removals or moves to topics",
                                change);
            }
        }
    }
}
