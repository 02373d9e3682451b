package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.BucketKey;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.flink.types.message.MessageTypes;
import io.cutwater.state.feedback.Lookup;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.partition.PartitionerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.TestableKeyedStateBackend;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;

/** A vertex table on RocksDB state. */
final class VertexTableHarness extends KeyedOneInputStreamOperatorTestHarness<Integer, Lookup, Views> {
    static final int K = 5;
    static final int BUCKETS = 16;
    static final int ASSIGNERS = 2;
    static final AssignOptions OPTIONS =
            new AssignOptions(PartitionerOptions.ofEdges("hdrf", K, 1), 1 << 10, true, Duration.ofHours(1));

    private final UpdateQueue loop;

    VertexTableHarness(UpdateQueue loop, int tables, int index) throws Exception {
        this(OPTIONS, new SpreadOptions(BUCKETS, tables, ASSIGNERS), loop, index);
    }

    private VertexTableHarness(AssignOptions options, SpreadOptions spread, UpdateQueue loop, int index)
            throws Exception {
        super(
                new VertexTableOperatorFactory(options, spread, loop),
                new BucketKey(spread.buckets()),
                Types.INT,
                spread.buckets(),
                spread.tables(),
                index);
        setStateBackend(new EmbeddedRocksDBStateBackend());
        setup(MessageTypes.VIEWS.serializer());
        this.loop = loop;
    }

    /** Takes the messages that the table has sent through the loop. */
    List<VertexUpdate> messages() {
        var sent = getSideOutput(VertexTableOperator.PEERS);
        List<VertexUpdate> messages = new ArrayList<>();
        while (sent != null && !sent.isEmpty()) {
            messages.add(sent.remove().getValue());
        }
        return messages;
    }

    List<Views> answers() {
        List<Views> answers = new ArrayList<>();
        for (Object element : getOutput()) {
            answers.add((Views) ((StreamRecord<?>) element).getValue());
        }
        getOutput().clear();
        return answers;
    }

    /** Number of entries of the keyed state. */
    int entries() {
        return ((TestableKeyedStateBackend<?>) ((VertexTableOperator) getOperator()).getKeyedStateBackend())
                .numKeyValueStateEntries();
    }

    /** Sends an update round the loop, and returns when it is applied. */
    void apply(VertexUpdate update) throws Exception {
        apply(List.of(update));
    }

    /** Sends updates round the loop together, and returns when they are applied. */
    void apply(List<VertexUpdate> updates) throws Exception {
        loop.send(updates);
        // The operator's own priority.
        getTaskMailbox().take(0).run();
    }

    /**
     * Opens a table.
     *
     * @param restored null for a new one
     */
    static VertexTableHarness open(UpdateQueue loop, int tables, int index, @Nullable OperatorSubtaskState restored)
            throws Exception {
        VertexTableHarness harness = new VertexTableHarness(loop, tables, index);
        harness.open(
                restored == null
                        ? null
                        : AbstractStreamOperatorTestHarness.repartitionOperatorState(
                                restored, BUCKETS, 1, tables, index));
        return harness;
    }

    /** Opens the only table of a job, see above. */
    static VertexTableHarness open(
            AssignOptions options, SpreadOptions spread, UpdateQueue loop, @Nullable OperatorSubtaskState restored)
            throws Exception {
        VertexTableHarness harness = new VertexTableHarness(options, spread, loop, 0);
        harness.open(restored);
        return harness;
    }

    private void open(@Nullable OperatorSubtaskState restored) throws Exception {
        if (restored != null) {
            initializeState(restored);
        }
        open();
        while (getTaskMailbox().hasMail()) {
            getTaskMailbox().take(0).run();
        }
    }
}
