package io.cutwater.flink.operator.distributed;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.placement.Placement;
import java.util.ArrayList;
import java.util.List;

/**
 * What several assigners or a job of one task have left for an assigner that goes on in another form. It waits here
 * until the assigner starts to place edges, when the tables have told what they have counted.
 */
final class TakenOver {
    private final List<byte[]> algorithm = new ArrayList<>();
    private final EdgeBatch buffered = new EdgeBatch(1);
    private final List<TableTotals> ofTables = new ArrayList<>();
    private boolean isDue;

    /**
     * Adds the state of one of them.
     *
     * @param pieces bytes of its rule
     * @param edges that it has buffered
     */
    void add(List<byte[]> pieces, EdgeBatch edges) {
        isDue = true;
        algorithm.addAll(pieces);
        buffered.addAll(edges);
    }

    /** Adds what a table has counted. */
    void add(TableTotals ofTable) {
        ofTables.add(ofTable);
    }

    /** Returns the buffered edges so far. */
    EdgeBatch buffered() {
        return buffered;
    }

    /** Returns whether something was added that no engine has. */
    boolean isDue() {
        return isDue;
    }

    /**
     * Gives an engine all but the buffered edges, which it takes like new ones then.
     *
     * @param recountsOwners whether the tables have counted the owners
     */
    void restore(RemoteEngine engine, boolean recountsOwners) {
        isDue = false;
        List<byte[]> owners = new ArrayList<>();
        for (TableTotals ofTable : ofTables) {
            engine.loads().addAll(ofTable.loads().first(engine.partitions()));
            ofTable.owners().ifPresent(owners::add);
        }
        Placement placement = engine.placement();
        placement.restoreParts(algorithm);
        if (recountsOwners) {
            placement.recountOwners(owners);
        }
        ofTables.clear();
        algorithm.clear();
    }
}
