package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.assigner.AlgorithmState;
import io.cutwater.flink.checkpoint.assigner.AssignerState;
import io.cutwater.flink.checkpoint.assigner.StoredRepartitioning;
import io.cutwater.flink.checkpoint.assigner.Totals;
import io.cutwater.flink.connector.restore.FinalFailure;
import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.feedback.Lineage;
import io.cutwater.state.feedback.Resumption;
import io.cutwater.state.feedback.WriteBack;
import io.cutwater.state.feedback.bucket.EdgesBySource;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.repartition.live.RepartitioningState;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.RecordExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * The operator state of an assigner whose vertices are in tables in other tasks, and what it means for an attempt that
 * begins with it.
 *
 * <p>It is one list element for each lineage, in no order: the assigner that gets a lineage when the number of
 * assigners changes goes on with it. The state of the rule and the buffered edges are in lists, too. Whoever writes
 * whole records adds those of the vertices of buffered edges, because these are in the cache only.
 */
final class RemoteState {
    static final ListStateDescriptor<byte[]> LINEAGES =
            new ListStateDescriptor<>("lineages", BytePrimitiveArraySerializer.INSTANCE);

    /** Has an element if one assigner has sent whole records where several send changes. */
    static final ListStateDescriptor<byte[]> WHOLE_RECORDS =
            new ListStateDescriptor<>("whole-records", BytePrimitiveArraySerializer.INSTANCE);

    /** Has an element if edges of owned vertices may be kept without owners that are true, until there is a plan. */
    static final ListStateDescriptor<byte[]> WITHOUT_OWNERS =
            new ListStateDescriptor<>("edges-without-owners", BytePrimitiveArraySerializer.INSTANCE);

    private static final byte[] YES = {1};

    private final AssignOptions options;
    private final SpreadOptions spread;
    private final int number;
    private final ListState<byte[]> lineagesState;
    private final ListState<byte[]> wholeRecordsState;
    private final ListState<byte[]> withoutOwnersState;
    private final BufferedVertices bufferedVertices;
    private final AlgorithmState algorithm;
    private final StoredRepartitioning repartitionings;
    private final Totals totals;
    private final List<Lineage> lineages;
    private final boolean areSeveral; // that have left this, as far as this assigner sees
    private final boolean wereWhole;
    private final boolean lacksOwners;

    /**
     * Reads the state.
     *
     * @param number of the assigner
     * @throws SuppressRestartsException if the job cannot go on with the checkpoint
     */
    RemoteState(AssignOptions options, SpreadOptions spread, int number, StateInitializationContext context)
            throws Exception {
        this.options = options;
        this.spread = spread;
        this.number = number;
        OperatorStateStore store = context.getOperatorStateStore();
        repartitionings = new StoredRepartitioning(store);
        lineagesState = store.getListState(LINEAGES);
        wholeRecordsState = store.getUnionListState(WHOLE_RECORDS);
        withoutOwnersState = store.getUnionListState(WITHOUT_OWNERS);
        List<AssignerState> states = assigners();
        RepartitioningState moves = repartitionings.restored();
        int k = options.partitioner().partitionCount();
        int ofStates = states.isEmpty() ? k : states.get(0).totals().loads().partitionCount();
        Totals sum =
                AssignerState.sum(states, moves.partitions() > 0 ? moves.partitions() : ofStates, options.keepsEdges());
        boolean wasOne = spread.assigners() == 1 && states.stream().allMatch(AssignerState::isExact);
        areSeveral = !states.isEmpty() && !wasOne;
        wereWhole = wholeRecordsState.get().iterator().hasNext();
        lacksOwners = wereWhole || withoutOwnersState.get().iterator().hasNext();
        requireForm(states.stream().anyMatch(AssignerState::isExact));
        totals = takesOver() ? sum.withoutReplicas() : sum; // the tables tell
        lineages = new ArrayList<>(states.stream().map(AssignerState::lineage).toList());
        if (lineages.isEmpty()) {
            // The high half of a random UUID: 60 random bits, of which a job needs a few in its life.
            lineages.add(new Lineage(UUID.randomUUID().getMostSignificantBits(), spread.buckets()));
        }
        bufferedVertices = new BufferedVertices(context);
        algorithm = options.keepsEdges()
                ? AlgorithmState.bySource(store, this::isOfSource, spread.assigners() == 1)
                : new AlgorithmState(store);
    }

    private List<AssignerState> assigners() throws Exception {
        int k = options.partitioner().partitionCount();
        // After a re-partitioning the state, not the options, says how many partitions there are.
        boolean isOfOptions = repartitionings.restored().generation() == 0;
        List<AssignerState> states = new ArrayList<>();
        for (byte[] bytes : lineagesState.get()) {
            states.add(
                    isOfOptions
                            ? AssignerState.fromBytes(bytes, k, spread.buckets())
                            : AssignerState.fromBytes(bytes, spread.buckets()));
        }
        return states;
    }

    private boolean isOfSource(long source) {
        return EdgesBySource.assigner(source, spread.buckets(), spread.assigners()) == number;
    }

    /**
     * @throws SuppressRestartsException if the checkpoint is of one assigner of an earlier build, which has not told
     *     all that it has sent whole records, and several go on
     */
    private void requireForm(boolean isOfOne) {
        if (SpreadOptions.storesDependOnAssigners(options) && spread.assigners() > 1 && isOfOne && !wereWhole) {
            throw FinalFailure.of("the savepoint of one assigner is of an earlier build; resume it with"
                    + " --assigners 1, and what the job stops with then with more");
        }
    }

    /** Returns what the assigners have counted that have left this, all together; without replicas if it takes over. */
    Totals totals() {
        return totals;
    }

    /** Returns whether this assigner has always been the only one. */
    boolean isExact() {
        return spread.assigners() == 1 && !areSeveral;
    }

    /** Returns whether the only assigner, which writes whole records, goes on with what several have left. */
    boolean takesOver() {
        return spread.writesBack(options) && areSeveral && !wereWhole;
    }

    /** Returns whether kept edges may have places that are not the owners of their ends. */
    boolean lacksOwners() {
        return lacksOwners;
    }

    /** Returns the id of the lineage that takes the new updates. */
    long newUpdates() {
        return lineages.get(0).id();
    }

    AlgorithmState algorithm() {
        return algorithm;
    }

    StoredRepartitioning repartitionings() {
        return repartitionings;
    }

    /** Returns how the assigner goes on. */
    Resumption resumption() {
        boolean isOtherForm = takesOver() || !spread.writesBack(options) && wereWhole;
        return isOtherForm
                ? new Resumption(lineages, true, takesOver(), algorithm.buffered(), spread.degreeChange(options, false))
                : Resumption.of(lineages, spread.catchesUp(options));
    }

    /**
     * Returns how the assigner goes on after a job of one task.
     *
     * @param buffered edges of that
     */
    Resumption afterOneTask(EdgeBatch buffered) {
        return new Resumption(
                lineages,
                spread.catchesUp(options),
                spread.writesBack(options),
                buffered,
                spread.degreeChange(options, true));
    }

    /**
     * Restores the state of the rule and the buffered edges, unless those are of others ({@link #takesOver}), and the
     * records of their vertices that no table has or tells.
     */
    void restore(RemoteEngine engine) throws Exception {
        WriteBack only = engine.writeBack();
        if (only == null) {
            algorithm.restore(engine.placement());
            if (!options.kind().hasOwners()) { // owners are those that the tables tell
                restoreRecords(engine);
            }
        } else if (!takesOver()) {
            bufferedVertices.restore((record, vertex) -> only.restore(vertex, record), 0);
            algorithm.restore(engine.placement()); // whose vertices come first
        }
    }

    /** Loads those that this assigner or one before it has stored. */
    private void restoreRecords(RemoteEngine engine) throws Exception {
        VertexSet vertices = VertexSet.of(engine.placement().heldEdges());
        bufferedVertices.restore(
                (record, vertex) -> {
                    if (vertices.find(vertex) != SlotIndex.NO_SLOT && !RecordExchange.has(engine.cache(), vertex)) {
                        RecordExchange.load(engine.cache(), vertex, record);
                    }
                },
                engine.partitions());
    }

    /**
     * Updates all but the re-partitionings.
     *
     * @param now those that are not confirmed, and first the one in use
     * @param isExact whether this assigner knows all replicas
     */
    void update(RemoteEngine engine, List<Lineage> now, boolean isExact, long deadLetters, long progress)
            throws Exception {
        boolean keepsEdges = options.keepsEdges();
        Totals counted = new Totals(engine.loads(), 0, deadLetters, progress, engine.unknownRemovals(), keepsEdges);
        List<byte[]> states = new ArrayList<>();
        for (Lineage lineage : now) {
            states.add(new AssignerState(isExact, counted, lineage).toBytes());
            counted = new Totals(new PartitionLoads(engine.partitions()), 0, 0, 0, 0, keepsEdges);
        }
        lineagesState.update(states);
        WriteBack only = engine.writeBack();
        wholeRecordsState.update(only == null ? List.of() : List.of(YES));
        boolean tellsOthers = engine.lacksOwners() && number == 0 && keepsEdges;
        withoutOwnersState.update(tellsOthers ? List.of(YES) : List.of());
        algorithm.update(engine.placement());
        EdgeBatch buffered = engine.placement().heldEdges();
        if (only != null) {
            bufferedVertices.update(only::encode, buffered, number, newUpdates(), 0);
        } else if (!options.kind().hasOwners()) {
            bufferedVertices.update(
                    vertex -> RecordExchange.encode(engine.cache(), vertex),
                    buffered,
                    number,
                    newUpdates(),
                    engine.partitions());
        }
    }
}
