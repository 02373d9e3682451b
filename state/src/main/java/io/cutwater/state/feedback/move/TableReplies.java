package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.BucketTable;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.VertexUpdate.PlanStep;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.feedback.bucket.BucketEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.repartition.RepartitionPlan;
import io.cutwater.state.repartition.live.PlanWork;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.ReplicaCounts;
import io.cutwater.state.table.VertexTable;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Replies of a task that holds the vertices and kept edges of a range of buckets to the requests of assigners. What
 * moves need is sent at once; edges are collected for a plan in time slices ({@link #work}).
 */
public final class TableReplies implements Closeable {
    private final VertexTable vertices;
    private final BucketEdges edges;
    private final IntFunction<long[]> verticesOf;
    private final int firstBucket;
    private final long run;
    private final TablePlan.Planner planner;
    private final Consumer<VertexUpdate> peers;
    private final long[][] last; // by assigner and bucket
    private final int assigners;
    private final int buckets;
    private final OrderAnswers orderAnswers;
    private final BucketTable table;
    private final Deque<VertexUpdate> early = new ArrayDeque<>();
    private final Views views = new Views();
    private @Nullable TablePlan plan;
    private @Nullable Scan scan;

    /** A pass over the kept edges of all buckets, for a plan. */
    private final class Scan {
        private final VertexUpdate request;
        private final PlanWork into;
        private final EdgeBatch chunk = new EdgeBatch();
        private int bucket;
        private long[] ofBucket = {};
        private int next;

        Scan(VertexUpdate request, PlanWork into) {
            this.request = request;
            this.into = into;
        }

        /** Reads on; returns whether every edge was visited. */
        boolean read(BooleanSupplier hasTime) {
            EdgeBatch some = new EdgeBatch();
            VertexBatch owned = new VertexBatch();
            boolean isOver = false;
            while (!isOver && into.takesMore() && hasTime.getAsBoolean()) {
                if (next < ofBucket.length) {
                    long vertex = ofBucket[next++];
                    if (edges.hasPlaces()) {
                        edges.outgoing(vertex, some, () -> handOver(some, EdgeBatch.DEFAULT_CAPACITY));
                    } else if (isOwned(vertex, owned)) {
                        edges.outgoing(vertex, chunk, () -> takeOutgoing(vertex, some));
                    }
                    handOver(some, EdgeBatch.DEFAULT_CAPACITY);
                } else if (bucket < buckets) {
                    ofBucket = verticesOf.apply(firstBucket + bucket++);
                    next = 0;
                } else {
                    isOver = true;
                }
            }
            handOver(some, 1);
            if (!owned.isEmpty()) {
                into.own(owned);
            }
            return isOver;
        }

        /** Adds the owner of a vertex; false if it has none, because all its edges are buffered. */
        private boolean isOwned(long vertex, VertexBatch owned) {
            int slot = vertices.slot(vertex);
            int owner = vertices.master(slot);
            if (owner == VertexTable.NO_MASTER) {
                RecordExchange.forgetIfEmpty(vertices, slot);
                return false;
            }
            owned.add(vertex, 0, owner);
            return true;
        }

        private void takeOutgoing(long vertex, EdgeBatch some) {
            for (int i = 0; i < chunk.size(); i++) {
                if (chunk.source(i) == vertex) { // whose owner says the place
                    some.add(vertex, chunk.target(i), chunk.weight(i), chunk.timestamp(i), chunk.key(i));
                }
            }
            chunk.clear();
            handOver(some, EdgeBatch.DEFAULT_CAPACITY);
        }

        private void handOver(EdgeBatch some, int least) {
            if (some.size() >= least) {
                EdgeBatch copy = new EdgeBatch(some.size());
                copy.addAll(some);
                into.add(copy);
                some.clear();
            }
        }
    }

    /**
     * @param verticesOf lists the vertices of a bucket that are in the store of the table
     * @param firstBucket the first of the buckets
     * @param buckets how many there are
     * @param assigners of the job
     * @param table requests wait until it has what earlier attempts have left
     * @param run that of the table, see {@link io.cutwater.state.feedback.BucketTable}
     * @param planner begins this table's part of plans
     * @param peers sends messages to other tables; called by any thread
     */
    public TableReplies(
            VertexTable vertices,
            BucketEdges edges,
            IntFunction<long[]> verticesOf,
            int firstBucket,
            int buckets,
            int assigners,
            BucketTable table,
            long run,
            TablePlan.Planner planner,
            Consumer<VertexUpdate> peers) {
        this.vertices = vertices;
        this.edges = edges;
        this.verticesOf = verticesOf;
        this.firstBucket = firstBucket;
        this.run = run;
        this.planner = planner;
        this.peers = peers;
        this.buckets = buckets;
        this.assigners = assigners;
        this.table = table;
        orderAnswers = new OrderAnswers(buckets, assigners);
        last = new long[assigners][buckets];
    }

    /**
     * Replies to a request, unless it is for another attempt or another table, or came before.
     *
     * @param answers receives the reply and must be done with it when it returns
     */
    public void reply(VertexUpdate request, Consumer<Views> answers) {
        int i = request.bucket() - firstBucket;
        int assigner = request.assigner();
        boolean isForThis = i >= 0 && i < buckets && request.run() == run && assigner >= 0 && assigner < assigners;
        if (!isForThis || request.request() <= last[assigner][i]) {
            return;
        }
        last[assigner][i] = request.request();
        early.add(request);
        replyToEarly(answers);
    }

    private void replyToEarly(Consumer<Views> answers) {
        while (!early.isEmpty() && table.isCaughtUp()) {
            replyNow(early.remove(), answers);
        }
    }

    private void replyNow(VertexUpdate request, Consumer<Views> answers) {
        if (request.isOrder()) {
            passOn(request, answers);
            return;
        }
        if (request.isAnswer()) {
            answered(request, answers);
            return;
        }
        PlanStep step = request.planStep();
        if (step != null) {
            reply(request, step, Objects.requireNonNull(request.hints()), answers);
            return;
        }
        begin(request);
        if (!edges.hasPlaces() && assigners > 1) {
            moveOwners(Objects.requireNonNull(request.edges()), views.copies());
            answers.accept(views);
            return;
        }
        VertexBatch wanted = request.added();
        long[] ids = new long[wanted.size()];
        for (int vertex = 0; vertex < ids.length; vertex++) {
            ids[vertex] = wanted.vertex(vertex);
        }
        vertices.expect(ids, ids.length);
        for (long vertex : ids) {
            int slot = vertices.slot(vertex);
            int at = views.addRecord();
            RecordExchange.copy(vertices, slot, views.records(), at);
            RecordExchange.forgetIfEmpty(vertices, slot);
        }
        edges.movable(Objects.requireNonNull(request.edges()), views.copies());
        answers.accept(views);
    }

    /** Gives vertices other owners; says of each how many edges move with it. */
    private void moveOwners(EdgeBatch wanted, EdgeBatch into) {
        for (int i = 0; i < wanted.size(); i++) {
            long vertex = wanted.source(i);
            int place = wanted.place(i);
            long degree = table.moveOwner(vertex, Place.ofSource(place), Place.ofTarget(place));
            into.add(vertex, Math.max(0, degree));
        }
    }

    /** Passes an order of the first assigner on to the others. */
    private void passOn(VertexUpdate order, Consumer<Views> answers) {
        for (int assigner = 1; assigner < assigners; assigner++) {
            message(Order.ORDER, assigner, Objects.requireNonNull(order.hints()), answers);
        }
    }

    /** Passes what an assigner says of an order on to the first one, and counts when all have carried it out. */
    private void answered(VertexUpdate update, Consumer<Views> answers) {
        long[] words = Objects.requireNonNull(update.hints());
        if (update.bucket() == 0) {
            message(Order.ANSWER, 0, concat(new long[] {update.assigner()}, words), answers);
        }
        Order.Answer answer = Order.Answer.of(words);
        if (orderAnswers.add(update.bucket() - firstBucket, update.assigner(), answer)) {
            ReplicaCounts now = table.counts();
            long[] replicas = new long[now.partitionCount()];
            Arrays.setAll(replicas, now::replicas);
            long[] header = {answer.order(), now.vertices(), replicas.length};
            message(Order.COUNTS, 0, concat(concat(header, replicas), table.owned()), answers);
        }
    }

    private static long[] concat(long[] first, long[] second) {
        long[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private void message(long request, int assigner, long[] words, Consumer<Views> answers) {
        views.reset(
                Views.replyTo(request),
                assigner,
                firstBucket,
                run,
                vertices.layout().stride());
        Order.append(words, views.copies());
        answers.accept(views);
    }

    private void reply(VertexUpdate request, PlanStep step, long[] description, Consumer<Views> answers) {
        TablePlan current = plan;
        if (current == null || current.number() != TablePlan.number(description)) {
            if (step != PlanStep.COLLECT) {
                return; // it was given up
            }
            close();
            current = TablePlan.begin(description, firstBucket, assigners, planner, this::owners, peers);
            plan = current;
        }
        switch (step) {
            case COLLECT -> {
                if (current.ask(request.bucket()) == buckets) {
                    vertices.flush();
                    scan = new Scan(request, current.work());
                }
            }
            case PLAN -> {
                table.holdOwners(current.tellsOwners());
                current.plan(request);
            }
            case NEXT_MOVES -> {
                table.holdOwners(false);
                begin(request);
                try {
                    current.nextMoves(request.assigner(), views.copies());
                } catch (IOException e) {
                    fail(e);
                }
                answers.accept(views);
            }
            case END -> close();
        }
    }

    private NeighbourOwners owners(long number, int[] firstBuckets, LongToIntFunction tableOf) {
        return new NeighbourOwners(number, firstBucket, firstBuckets, vertices, edges, this::vertices, tableOf, peers);
    }

    /** Returns the vertices of a bucket, counted from the first one here; null behind the last one. */
    private long @Nullable [] vertices(int bucket) {
        return bucket < buckets ? verticesOf.apply(firstBucket + bucket) : null;
    }

    /** Takes a part of a message of another table. */
    public void receive(VertexUpdate message) {
        if (plan != null) {
            plan.receive(message);
        }
    }

    private void begin(VertexUpdate request) {
        int stride = vertices.layout().stride();
        views.reset(Views.replyTo(request.request()), request.assigner(), request.bucket(), run, stride);
    }

    private void beginFirst(VertexUpdate request) {
        int stride = vertices.layout().stride();
        views.reset(Views.replyTo(request.request()), request.assigner(), firstBucket, run, stride);
    }

    private void fail(IOException e) {
        views.copies().clear();
        views.setHandover(String.valueOf(e.getMessage()).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether an assigner waits for kept edges to be collected, or for a plan. */
    public boolean isWorking() {
        return !early.isEmpty() || scan != null || plan != null && plan.unanswered() != null;
    }

    /**
     * Collects kept edges for one time slice, or looks whether the plan is made; returns whether there is more to do.
     *
     * @param answers receives the replies and must be done with each when it returns
     */
    public boolean work(BooleanSupplier hasTime, Consumer<Views> answers) {
        replyToEarly(answers);
        TablePlan current = plan;
        if (current == null) {
            return isWorking();
        }
        Scan reading = scan;
        VertexUpdate request = reading == null ? current.unanswered() : reading.request;
        if (request == null) {
            return isWorking();
        }
        beginFirst(request);
        current.tellOwners(hasTime);
        try {
            RepartitionPlan made = current.result(); // says what is wrong, if anything is
            if (reading != null) {
                if (!reading.read(hasTime)) {
                    return true;
                }
                scan = null;
            } else if (made == null) {
                return true;
            } else {
                PlanRows.append(made, views.copies());
            }
            answers.accept(views);
        } catch (IOException e) {
            fail(e);
            answers.accept(views);
            close();
        }
        return isWorking();
    }

    /** Gives up the plan that is being made. */
    @Override
    public void close() {
        scan = null;
        table.holdOwners(false);
        if (plan != null) {
            try {
                plan.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            plan = null;
        }
    }
}
