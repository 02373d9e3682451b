package io.cutwater.flink.connector.output;

import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.flink.types.OperatorId;
import io.cutwater.kafka.topic.TopicAdmin;
import java.util.Iterator;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.TupleTypeInfo;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Puts the number of topic partitions that the job writes its shards to beside each element. It is what topic
 * {@code shards} has when the job begins, and in the job's state from then on: with partitions that are added later a
 * shard would go on in another topic partition than where it began. A job whose state does not tell it, because an
 * earlier build wrote that, takes what the topic has now. Several tasks are given the number, by which the elements
 * have come to them, and check it.
 */
final class FixTopicPartitions<T> extends RichMapFunction<T, Tuple2<Integer, T>> implements CheckpointedFunction {
    private static final long serialVersionUID = 1;
    private static final int UNKNOWN = 0;

    private final TopicOutputOptions options;
    private final int expected;
    private transient int topicPartitions;

    // Made before the first element.
    @SuppressWarnings("NullAway.Init")
    private transient ListState<Integer> state;

    private FixTopicPartitions(TopicOutputOptions options, int expected) {
        this.options = options;
        this.expected = expected;
    }

    /**
     * Adds one task.
     *
     * @param id under which the number is in the job's state
     */
    static <T> DataStream<Tuple2<Integer, T>> of(DataStream<T> stream, TopicOutputOptions options, OperatorId id) {
        return of(stream, options, id, 1, UNKNOWN);
    }

    /** Adds a task for each writer, behind elements that are at their writers. */
    static <T> DataStream<Tuple2<Integer, T>> of(
            DataStream<T> stream, TopicOutputOptions options, OperatorId id, ShardWriters writers) {
        return of(stream, options, id, writers.count(), writers.shards());
    }

    private static <T> DataStream<Tuple2<Integer, T>> of(
            DataStream<T> stream, TopicOutputOptions options, OperatorId id, int tasks, int expected) {
        return stream.map(new FixTopicPartitions<T>(options, expected))
                .returns(type(stream.getType()))
                .name(id.name())
                .uid(id.uid())
                .setParallelism(tasks);
    }

    static <T> TypeInformation<Tuple2<Integer, T>> type(TypeInformation<T> elements) {
        return new TupleTypeInfo<>(Types.INT, elements);
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        // One element for each task; a task that is new has none, and its number is the expected one.
        state = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("topic-partitions", Types.INT));
        Iterator<Integer> restored = state.get().iterator();
        topicPartitions = restored.hasNext() ? restored.next() : expected;
        if (expected != UNKNOWN && topicPartitions != expected) {
            throw FinalFailure.of(
                    "the job has written its shards to %d partitions of topic %s, but its last report names %d: topic %s is another job's, or was deleted; resume the job from its last savepoint or checkpoint with the topics that it had then"
                            .formatted(
                                    topicPartitions,
                                    options.topics().shards(),
                                    expected,
                                    options.topics().report()));
        }
    }

    @Override
    public void open(OpenContext context) {
        if (topicPartitions == UNKNOWN) {
            try (TopicAdmin admin = TopicAdmin.connect(options.bootstrapServers(), options.properties())) {
                topicPartitions = admin.partitionCount(options.topics().shards());
            }
        }
    }

    @Override
    public Tuple2<Integer, T> map(T element) {
        return Tuple2.of(topicPartitions, element);
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        state.update(List.of(topicPartitions));
    }
}
