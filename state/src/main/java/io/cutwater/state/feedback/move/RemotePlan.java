package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.TableRequests;
import io.cutwater.state.feedback.VertexUpdate.PlanStep;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.repartition.Moves;
import io.cutwater.state.repartition.RepartitionPlan;
import io.cutwater.state.repartition.live.EdgeScan;
import io.cutwater.state.repartition.live.PlanWork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A plan that the tables make together ({@link TablePlan}), as the assigner sees it. Each table collects its own edges,
 * and has the moves of these; the assigner gets the moves of the edges that are its own, some of each table in turn,
 * and no edges.
 */
final class RemotePlan implements PlanWork, EdgeScan {
    private final TableRequests requests;
    private final int partitions;
    private final int partitionsBefore;
    private final double budget;
    private final RemotePlacement.@Nullable Engine engine;
    private int[] firstBuckets = {};
    private long[] description = {};
    private long request;
    private final BitSet waiting = new BitSet(); // tables that have not replied
    private @Nullable RepartitionPlan plan;
    private @Nullable String failure;
    private boolean isCollected;
    private boolean isClosed;
    private Received @Nullable [] received;

    /** Moves of a table that have come. */
    private static final class Received {
        private long request;
        private @Nullable EdgeBatch some;
        private boolean isOver;
    }

    /** @param engine is told when the owners of neighbours are known; null if others have the plan made */
    RemotePlan(
            TableRequests requests,
            int partitions,
            int partitionsBefore,
            double budget,
            RemotePlacement.@Nullable Engine engine) {
        this.engine = engine;
        this.requests = requests;
        this.partitions = partitions;
        this.partitionsBefore = partitionsBefore;
        this.budget = budget;
    }

    /** Returns a plan that another assigner has had made: only the moves of this assigner's edges are asked for. */
    static RemotePlan ofMoves(TableRequests requests, long number) {
        RemotePlan plan = new RemotePlan(requests, 0, 0, 0, null);
        plan.firstBuckets = requests.firstBuckets();
        plan.description = TablePlan.describe(number);
        return plan;
    }

    /** Returns the number of the plan, which has begun. */
    long number() {
        return TablePlan.number(description);
    }

    /** Asks all tables to collect their edges, when they can be asked. */
    private void collect() {
        if (firstBuckets.length > 0 || isClosed || !requests.isReady()) {
            return;
        }
        requests.flush();
        firstBuckets = requests.firstBuckets();
        request = requests.next();
        description = TablePlan.describe(
                requests.newPlan(),
                partitions,
                partitionsBefore,
                budget,
                engine != null && engine.lacksOwners(),
                requests.buckets(),
                firstBuckets);
        waiting.set(0, firstBuckets.length);
        for (int bucket = 0; bucket < requests.buckets(); bucket++) {
            requests.askPlan(bucket, request, PlanStep.COLLECT, description);
        }
    }

    private void ask(PlanStep step) {
        request = requests.next();
        waiting.set(0, firstBuckets.length);
        for (int first : firstBuckets) {
            requests.askPlan(first, request, step, description);
        }
    }

    @Override
    public EdgeBatch next(BooleanSupplier mayGoOn) {
        collect();
        return new EdgeBatch(1);
    }

    @Override
    public boolean isOver() {
        return isCollected;
    }

    @Override
    public boolean takesMore() {
        return true;
    }

    @Override
    public void add(EdgeBatch edges) {
        throw new IllegalStateException("the tables collect the edges; please report this as a defect");
    }

    @Override
    public void plan() {
        ask(PlanStep.PLAN);
    }

    @Override
    public @Nullable RepartitionPlan result() throws IOException {
        if (failure != null) {
            throw new IOException(failure);
        }
        return waiting.isEmpty() ? plan : null;
    }

    /** Takes a reply of a table, if it is one to this plan. */
    void replied(Views reply) {
        int table = Arrays.binarySearch(firstBuckets, reply.bucket());
        if (table < 0 || isClosed) {
            return;
        }
        byte[] reason = reply.handover();
        if (reply.request() == request && waiting.get(table)) {
            waiting.clear(table);
            if (reason != null) {
                failure = new String(reason, StandardCharsets.UTF_8);
            } else if (!isCollected) {
                isCollected = waiting.isEmpty();
            } else {
                plan = PlanRows.read(reply.copies());
                if (engine != null && waiting.isEmpty() && failure == null) {
                    engine.ownersTold();
                }
            }
        } else if (received != null && received[table].request == reply.request()) {
            received[table].request = 0;
            received[table].some = reply.copies();
            received[table].isOver = reply.copies().isEmpty();
            if (reason != null) {
                failure = new String(reason, StandardCharsets.UTF_8);
            }
        }
    }

    @Override
    public Moves moves() {
        Received[] ofTables = new Received[firstBuckets.length];
        Arrays.setAll(ofTables, table -> new Received());
        received = ofTables;
        for (int table = 0; table < ofTables.length; table++) {
            askMoves(table);
        }
        return new TableMoves(ofTables);
    }

    private void askMoves(int table) {
        if (received != null && !received[table].isOver) {
            received[table].request = requests.next();
            received[table].some = null;
            requests.askPlan(firstBuckets[table], received[table].request, PlanStep.NEXT_MOVES, description);
        }
    }

    /** The moves of all tables, some of each in turn. */
    private final class TableMoves implements Moves {
        private final Received[] tables;
        private EdgeBatch some = new EdgeBatch(1);
        private int at = -1;
        private int table = -1;

        TableMoves(Received[] tables) {
            this.tables = tables;
        }

        @Override
        public boolean next() throws IOException {
            if (failure != null) {
                throw new IOException(failure);
            }
            if (++at < some.size()) {
                return true;
            }
            for (int i = 0; i < tables.length; i++) {
                int turn = (table + 1) % tables.length;
                EdgeBatch more = tables[turn].some;
                if (!tables[turn].isOver && more == null) {
                    at = some.size(); // they are on their way
                    return false;
                }
                table = turn;
                if (!tables[turn].isOver && more != null) {
                    some = more;
                    at = 0;
                    askMoves(turn);
                    return true;
                }
            }
            at = some.size();
            return false;
        }

        @Override
        public boolean isWaiting() {
            return Arrays.stream(tables).anyMatch(each -> !each.isOver);
        }

        @Override
        public long source() {
            return some.source(at);
        }

        @Override
        public long target() {
            return some.target(at);
        }

        @Override
        public int from() {
            return Place.ofSource(some.place(at));
        }

        @Override
        public int to() {
            return Place.ofTarget(some.place(at));
        }

        @Override
        public void close() {}
    }

    /** Tells the tables that the plan is not needed any more. */
    @Override
    public void close() {
        if (!isClosed && firstBuckets.length > 0) {
            ask(PlanStep.END);
        }
        isClosed = true;
    }

    /** Ends it without telling the tables, which end as well. */
    void abandon() {
        isClosed = true;
    }
}
