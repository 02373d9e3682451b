package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.TableRequests;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.feedback.bucket.MovableCopies;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.repartition.Moves;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves edges that are kept in tables in other tasks: some thousand at a time it asks the tables for the copies that
 * move and for the records of their ends, waits for the replies beside the stream, and makes the moves. One of several
 * assigners asks for no records, because the tables count the edges. An edge of which copies are removed meanwhile is
 * asked for again with the next ones.
 */
final class RemoteMover implements TableMover {
    private static final int MOVES = 8 * 1024;

    /** How often moves are tried again when there are no others; after that their edges stay. */
    private static final int MAX_REPEATS = 16;

    private final TableRequests requests;
    private final Move move;
    private final Moves moves;
    private boolean hasMove; // read, and not among the current ones

    /** The current moves, with both partitions as their places. */
    private EdgeBatch current = new EdgeBatch(1);

    private EdgeBatch repeated = new EdgeBatch(1);
    private @Nullable MovableCopies copies;
    private final TableQuestions questions;
    private int next;
    private int repeats;
    private boolean isOver;

    RemoteMover(TableRequests requests, Move move, Moves moves) {
        this.requests = requests;
        this.move = move;
        this.moves = moves;
        questions = new TableQuestions(requests);
    }

    @Override
    public long step(long limit, BooleanSupplier mayGoOn) throws IOException {
        if (isOver || !requests.isReady()) {
            return 0;
        }
        MovableCopies asked = copies;
        if (asked == null) {
            begin(limit);
            return 0;
        }
        if (questions.areOpen()) {
            return 0;
        }
        long moved = 0;
        while (next < current.size() && moved < limit && mayGoOn.getAsBoolean()) {
            long source = current.source(next);
            long target = current.target(next);
            int place = current.place(next);
            if (asked.isStale(source, target)) {
                repeated.addFrom(current, next);
            } else {
                moved += move.make(source, target, Place.ofSource(place), Place.ofTarget(place));
            }
            next++;
        }
        if (next == current.size()) {
            release();
            begin(limit);
        }
        return moved;
    }

    /** Reads the next moves and asks for what they need. */
    private void begin(long limit) throws IOException {
        MovableCopies wanted = new MovableCopies();
        current = new EdgeBatch();
        EdgeBatch again = repeats < MAX_REPEATS ? repeated : new EdgeBatch(1); // otherwise these edges stay
        repeated = new EdgeBatch(1);
        for (int i = 0; i < again.size(); i++) {
            add(again.source(i), again.target(i), again.place(i), wanted, true);
        }
        boolean isAdded = true;
        while (isAdded && current.size() < MOVES && current.size() < limit && (hasMove || moves.next())) {
            hasMove = true;
            isAdded = add(moves.source(), moves.target(), Place.of(moves.from(), moves.to()), wanted, false);
            hasMove = !isAdded;
            repeats = isAdded ? 0 : repeats;
        }
        if (current.isEmpty()) {
            isOver = !moves.isWaiting();
            return;
        }
        repeats++;
        copies = wanted;
        next = 0;
        requests.send();
        requests.edges().watch(wanted);
        EdgeBatch edges = wanted.wanted();
        questions.ask(requests.areEdgesShared() ? new VertexSet() : VertexSet.of(edges), edges);
    }

    private boolean add(long source, long target, int place, MovableCopies wanted, boolean isAgain) {
        if (!wanted.want(source, target, Place.ofSource(place))) {
            if (isAgain) {
                repeated.add(source, target);
                repeated.setPlace(repeated.size() - 1, place);
            }
            return false;
        }
        current.add(source, target);
        current.setPlace(current.size() - 1, place);
        return true;
    }

    @Override
    public void replied(Views reply) {
        if (copies != null && questions.answered(reply)) {
            copies.load(reply.copies());
        }
    }

    private void release() {
        if (copies != null) {
            copies = null;
            questions.drop();
            requests.edges().watch((MovableCopies) null);
            requests.release();
        }
    }

    @Override
    public boolean isOver() {
        return isOver;
    }

    @Override
    public void close() {
        release();
        isOver = true;
    }
}
