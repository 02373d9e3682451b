package io.cutwater.flink.operator;

import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.checkpoint.VertexBuckets;
import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.kafka.textid.TextIds;
import io.cutwater.state.edges.KnownTexts;
import io.cutwater.state.graph.EdgeBatch;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Rejects edges of texts whose id belongs to another text, and leaves in each batch the texts of the vertices that are
 * new ({@link KnownTexts}). It has parallelism 1, like the source before it: the order of the texts matters.
 *
 * <p>A runtime operator, because one element touches the state of many keys; see {@link AssignerOperator}.
 */
public final class TextIdsOperator extends AbstractStreamOperator<EdgeBatch>
        implements OneInputStreamOperator<EdgeBatch, EdgeBatch> {
    /** User key = vertex id, value = the bytes of {@link KnownTexts}. */
    private static final MapStateDescriptor<Long, byte[]> TEXTS =
            new MapStateDescriptor<>("text-hashes", LongSerializer.INSTANCE, BytePrimitiveArraySerializer.INSTANCE);

    /** Version (1 byte), seed (8 bytes). */
    private static final ListStateDescriptor<byte[]> SEED = BeginningState.describe("seed");

    private static final byte VERSION = 1;

    // 8 MiB
    private static final int CACHE_BITS = 20;

    private final TextIds ids;
    private final String topic;

    // Runtime, created in every attempt.
    private transient BeginningState seedState;
    private transient KnownTexts texts;
    private transient EdgeBatch spare;

    /** @param topic of the edges */
    public TextIdsOperator(TextIds ids, String topic) {
        this.ids = ids;
        this.topic = topic;
    }

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
        super.initializeState(context);
        seedState = new BeginningState(context, SEED, VERSION, "the seed of text ids");
        ByteBuffer seed = seedState.required("--ids text", "its ids are integers");
        if (seed != null) {
            requireSeed(seed.getLong());
        }
        int maxParallelism = getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks();
        KeyedVertexStore store = new KeyedVertexStore(
                context.getKeyedStateStore().getMapState(TEXTS),
                new VertexBuckets(maxParallelism),
                this::setCurrentKey);
        texts = new KnownTexts(store, topic, CACHE_BITS);
    }

    private void requireSeed(long seed) {
        if (seed != ids.seed()) {
            throw FinalFailure.of(
                    "the job began with --ids-seed %d, by which its vertices have their ids, and not %d; give the same seed, or submit a new job with another --topic-prefix"
                            .formatted(seed, ids.seed()));
        }
    }

    @Override
    public void open() throws Exception {
        super.open();
        spare = new EdgeBatch();
        getMetricGroup().addGroup("cutwater").gauge("collidingEdges", (Gauge<Long>) texts::rejectedEdges);
    }

    @Override
    public void processElement(StreamRecord<EdgeBatch> element) {
        output.collect(element.replace(texts.apply(element.getValue(), spare)));
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
        super.snapshotState(context);
        seedState.update(ids.seed());
    }
}
