package io.cutwater.state.feedback;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.repartition.live.RepartitioningState;
import io.cutwater.state.store.MapAdjacencyStore;
import io.cutwater.state.table.PartitionLoads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The checkpointed state of all tasks of a {@link LoopSimulation}. */
final class SimulatedCheckpoint {
    /** Whether it is of a job of one task. */
    boolean isOfOneTask;

    /** Whether one assigner has written whole records. */
    boolean writesBack;

    /** Whether kept edges may lack the owners of their ends. */
    boolean lacksOwners;

    int nextBatch;
    int pass;
    int[] partitions = {};
    final Map<Long, byte[]> vertices = new HashMap<>();
    final MapAdjacencyStore edges = new MapAdjacencyStore();
    final byte[][] ledgers;
    final List<LineageState> lineages = new ArrayList<>();
    final List<PartitionLoads> loads = new ArrayList<>();
    final List<byte[]> algorithm = new ArrayList<>();
    RepartitioningState repartitioning = RepartitioningState.NONE;
    final List<SimulatedRounds.Moved> moved = new ArrayList<>();
    long adopted;
    EdgeBatch buffered = new EdgeBatch();
    final Map<Long, byte[]> bufferedVertices = new HashMap<>();
    /** The buffer of each of several assigners, by the number of the assigner. */
    final Map<Integer, BufferState> buffers = new HashMap<>();

    int tablesLeft;
    int assignersLeft;

    /** What one of several assigners has in lists of its own, which it gets back if there are as many again. */
    record BufferState(List<byte[]> algorithm, EdgeBatch edges, Map<Long, byte[]> vertices, int partitions) {}

    record LineageState(long id, long[] lastSequences, List<VertexUpdate> unconfirmed) {}

    SimulatedCheckpoint(int buckets) {
        ledgers = new byte[buckets][];
    }

    boolean isComplete() {
        return tablesLeft == 0 && assignersLeft == 0;
    }
}
