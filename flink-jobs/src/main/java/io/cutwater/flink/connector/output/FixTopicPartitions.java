package io.cutwater.flink.connector.output;

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
 * earlier build wrote that, takes what the topic has now. Of parallelism 1.
 */
final class FixTopicPartitions<T> extends RichMapFunction<T, Tuple2<Integer, T>> implements CheckpointedFunction {
    private static final long serialVersionUID = 1;
    private static final int UNKNOWN = 0;

    private final TopicOutputOptions options;
    private transient int topicPartitions;

    // Made before the first element.
    @SuppressWarnings("NullAway.Init")
    private transient ListState<Integer> state;

    private FixTopicPartitions(TopicOutputOptions options) {
        this.options = options;
    }

    /** @param id under which the number is in the job's state */
    static <T> DataStream<Tuple2<Integer, T>> of(DataStream<T> stream, TopicOutputOptions options, OperatorId id) {
        return stream.map(new FixTopicPartitions<T>(options))
                .returns(type(stream.getType()))
                .name(id.name())
                .uid(id.uid())
                .setParallelism(1);
    }

    static <T> TypeInformation<Tuple2<Integer, T>> type(TypeInformation<T> elements) {
        return new TupleTypeInfo<>(Types.INT, elements);
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        state = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("topic-partitions", Types.INT));
        Iterator<Integer> restored = state.get().iterator();
        topicPartitions = restored.hasNext() ? restored.next() : UNKNOWN;
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
