package io.cutwater.flink.operator.local;

import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.flink.operator.assigner.BookBuffer;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * Partition book of an assigner that holds the vertices itself. At every barrier it has emitted all vertices whose
 * replicas or degree changed, so the book that is committed with the shards has the same degrees as the shards.
 *
 * <p>Earlier builds emitted a vertex only when its replicas changed. After a restore from one of their checkpoints,
 * which has no version of the book, every vertex is emitted once, at the first barrier.
 */
final class LocalBook {
    private static final ListStateDescriptor<byte[]> VERSION =
            new ListStateDescriptor<>("book-version", BytePrimitiveArraySerializer.INSTANCE);

    private static final byte WITH_EVERY_DEGREE = 1;

    private final ListState<byte[]> versionState;
    private final boolean isPublished;
    private final BookBuffer changes;
    private boolean isAllDue;

    /**
     * @param isPublished whether changes are emitted at all
     * @param out receives rows and must be done with them when it returns
     */
    LocalBook(StateInitializationContext context, boolean isPublished, Consumer<VertexBatch> out) throws Exception {
        this.isPublished = isPublished;
        changes = new BookBuffer(false, out);
        versionState = context.getOperatorStateStore().getListState(VERSION);
        isAllDue = isPublished && context.isRestored();
        for (byte[] version : versionState.get()) {
            if (version.length != 1 || version[0] != WITH_EVERY_DEGREE) {
                throw new IllegalStateException("the checkpoint has a partition book of version %d; this build reads %d"
                        .formatted(version.length == 0 ? 0 : version[0], WITH_EVERY_DEGREE));
            }
            isAllDue = false;
        }
    }

    VertexTable.Listener listener() {
        return isPublished ? changes::add : VertexTable.Listener.NONE;
    }

    /** Emits what must precede a barrier; the store has every vertex by then. */
    void flush(KeyedVertexStore store, int buckets, VertexLayout layout) throws Exception {
        if (isAllDue) {
            changes.addAll(store, 0, buckets, layout);
            isAllDue = false;
        }
        changes.flush();
    }

    /** Updates the state; a {@link #flush} precedes it. */
    void snapshot() throws Exception {
        versionState.update(isPublished ? List.of(new byte[] {WITH_EVERY_DEGREE}) : List.of());
    }
}
