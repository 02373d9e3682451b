package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.bucket.EdgesBySource;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.Place;
import io.cutwater.state.parts.Exchange;
import io.cutwater.state.repartition.Moves;
import io.cutwater.state.repartition.RepartitionPlan;
import io.cutwater.state.repartition.live.PlanWork;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A table's part of a plan: the edges whose sources are in its buckets, and their moves. The assigner describes the
 * plan in its requests: number of the plan, partitions, partitions before, bits of the budget, whether the tables are
 * to tell each other owners ({@link NeighbourOwners}), number of buckets, and the first bucket of each table.
 */
public final class TablePlan implements Closeable {
    private static final int HEADER = 6;

    /** Moves of a reply. */
    private static final int MOST_MOVES = 4096;

    /** Begins a table's part of a plan. */
    @FunctionalInterface
    public interface Planner {
        /**
         * Begins the part; the parts of all tables plan together.
         *
         * @param partitions k of the plan
         * @param partitionsBefore current k
         * @param budget edges that may move, as a share of all
         * @param exchange with the other tables
         * @param owner the table of each vertex
         */
        PlanWork begin(int partitions, int partitionsBefore, double budget, Exchange exchange, LongToIntFunction owner);
    }

    private final long number;
    private final PeerExchange exchange;
    private final PlanWork work;
    private final BitSet asked = new BitSet();
    private final @Nullable Moves[] moves; // by assigner
    private final int buckets;
    private final @Nullable NeighbourOwners owners; // if the tables are to tell each other
    private @Nullable VertexUpdate unanswered; // the request to plan

    /** Begins to tell other tables the owners of vertices. */
    @FunctionalInterface
    interface Owners {
        /**
         * @param plan number of the plan
         * @param firstBuckets first bucket of each table
         * @param tableOf the table of each vertex
         */
        NeighbourOwners begin(long plan, int[] firstBuckets, LongToIntFunction tableOf);
    }

    private TablePlan(
            long number,
            int buckets,
            int assigners,
            PeerExchange exchange,
            PlanWork work,
            @Nullable NeighbourOwners owners) {
        this.owners = owners;
        this.number = number;
        this.buckets = buckets;
        moves = new Moves[assigners];
        this.exchange = exchange;
        this.work = work;
    }

    /** @param firstBucket of this table */
    static TablePlan begin(
            long[] plan, int firstBucket, int assigners, Planner planner, Owners owners, Consumer<VertexUpdate> peers) {
        int[] firstBuckets = Arrays.stream(plan, HEADER, plan.length)
                .mapToInt(bucket -> (int) bucket)
                .toArray();
        int buckets = (int) plan[5];
        short[] tables = new short[buckets];
        for (int bucket = 0, table = 0; bucket < buckets; bucket++) {
            table += table + 1 < firstBuckets.length && firstBuckets[table + 1] == bucket ? 1 : 0;
            tables[bucket] = (short) table;
        }
        PeerExchange exchange = new PeerExchange(plan[0], tables[firstBucket], firstBuckets, peers);
        LongToIntFunction tableOf = vertex -> tables[Hashing.bucket(vertex, buckets)];
        PlanWork work =
                planner.begin((int) plan[1], (int) plan[2], Double.longBitsToDouble(plan[3]), exchange, tableOf);
        NeighbourOwners told = plan[4] == 0 ? null : owners.begin(plan[0], firstBuckets, tableOf);
        return new TablePlan(plan[0], buckets, assigners, exchange, work, told);
    }

    /** Describes a plan for the requests. */
    static long[] describe(
            long number,
            int partitions,
            int partitionsBefore,
            double budget,
            boolean tellsOwners,
            int buckets,
            int[] firstBuckets) {
        long[] plan = new long[HEADER + firstBuckets.length];
        plan[0] = number;
        plan[1] = partitions;
        plan[2] = partitionsBefore;
        plan[3] = Double.doubleToLongBits(budget);
        plan[4] = tellsOwners ? 1 : 0;
        plan[5] = buckets;
        for (int table = 0; table < firstBuckets.length; table++) {
            plan[HEADER + table] = firstBuckets[table];
        }
        return plan;
    }

    /** Describes a plan that has begun, for the requests for its moves. */
    static long[] describe(long number) {
        return new long[] {number};
    }

    /** Returns the number of the plan that a request is about. */
    static long number(long[] plan) {
        return plan[0];
    }

    /** Returns the number of the plan. */
    long number() {
        return number;
    }

    /** Takes down that a bucket is asked for; returns how many are. */
    int ask(int bucket) {
        asked.set(bucket);
        return asked.cardinality();
    }

    PlanWork work() {
        return work;
    }

    /** Takes a part of a message of another table. */
    void receive(VertexUpdate message) {
        if (owners != null && NeighbourOwners.isFor(message)) {
            owners.receive(message);
        } else {
            exchange.receive(message);
        }
    }

    /** Returns whether owners are told, and no vertex may get another one until there are moves. */
    boolean tellsOwners() {
        return owners != null;
    }

    /** Tells owners for one time slice, if that is to be done. */
    void tellOwners(BooleanSupplier hasTime) {
        if (owners != null && unanswered != null) {
            owners.tell(hasTime);
        }
    }

    /** Begins to plan. */
    void plan(VertexUpdate request) {
        unanswered = request;
        work.plan();
    }

    /** Returns the request to plan, if it is not answered yet. */
    @Nullable VertexUpdate unanswered() {
        return unanswered;
    }

    /** Returns the plan, null as long as there is none, and answers the request with it. */
    @Nullable RepartitionPlan result() throws IOException {
        RepartitionPlan plan = work.result();
        if (plan == null || owners != null && !owners.isOver()) {
            return null;
        }
        unanswered = null;
        return plan;
    }

    /** Appends the next moves of the edges that are an assigner's; none if there are no more. */
    void nextMoves(int assigner, EdgeBatch into) throws IOException {
        Moves own = moves[assigner];
        if (own == null) {
            own = work.moves();
            moves[assigner] = own;
        }
        while (into.size() < MOST_MOVES && own.next()) {
            if (EdgesBySource.assigner(own.source(), buckets, moves.length) == assigner) {
                into.add(own.source(), own.target());
                into.setPlace(into.size() - 1, Place.of(own.from(), own.to()));
            }
        }
    }

    /** Ends the planning, and removes its files. */
    @Override
    public void close() throws IOException {
        exchange.close();
        for (Moves own : moves) {
            if (own != null) {
                own.close();
            }
        }
        work.close();
    }
}
