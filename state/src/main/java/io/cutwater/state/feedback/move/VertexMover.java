package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.TableRequests;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.feedback.bucket.MovableVertices;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.SlotIndex;
import io.cutwater.state.repartition.Moves;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Moves vertices whose records and edges are in tables in other tasks. It asks for the records of some vertices, from
 * which it knows how many edges they have; then for the edges of as many as have some ten thousand together, or of a
 * larger one alone; then for the records of their neighbours. It waits for each answer beside the stream. A vertex that
 * loses an edge meanwhile is asked for again with the next ones.
 */
final class VertexMover implements TableMover {
    private static final int VERTICES = 1024;
    private static final int EDGES = 32 * 1024;

    /** How often vertices are tried again when there are no others; after that they stay. */
    private static final int MAX_REPEATS = 16;

    private final TableRequests requests;
    private final Move move;
    private final Moves moves;
    private final TableQuestions questions;

    /** The moves that were read, with both partitions as their places, and from {@code next} on are to be made. */
    private EdgeBatch current = new EdgeBatch(1);

    private long[] degrees = {};
    private EdgeBatch repeated = new EdgeBatch(1);
    private int repeats;
    private int next;
    private int end; // of those that were asked for
    private MovableVertices vertices = new MovableVertices(vertex -> {});
    private Step step = Step.READ;

    /** What comes next, as soon as nothing is waited for. */
    private enum Step {
        READ,
        CHOOSE,
        ASK_NEIGHBOURS,
        MOVE,
        OVER
    }

    VertexMover(TableRequests requests, Move move, Moves moves) {
        this.requests = requests;
        this.move = move;
        this.moves = moves;
        questions = new TableQuestions(requests);
    }

    @Override
    public long step(long limit, BooleanSupplier mayGoOn) throws IOException {
        if (!requests.isReady() || questions.areOpen()) {
            return 0;
        }
        switch (step) {
            case READ -> read();
            case CHOOSE -> choose();
            case ASK_NEIGHBOURS -> {
                questions.ask(vertices.ends(), new EdgeBatch(1));
                step = Step.MOVE;
            }
            case MOVE -> {
                return move(limit, mayGoOn);
            }
            case OVER -> {}
        }
        return 0;
    }

    /** Reads the next moves and asks how many edges their vertices have. */
    private void read() throws IOException {
        current = repeats < MAX_REPEATS ? repeated : new EdgeBatch(1); // otherwise these vertices stay
        repeated = new EdgeBatch(1);
        repeats++;
        while (current.size() < VERTICES && moves.next()) {
            current.add(moves.source(), moves.source());
            current.setPlace(current.size() - 1, Place.of(moves.from(), moves.to()));
            repeats = 0;
        }
        next = 0;
        end = 0;
        if (current.isEmpty()) {
            step = moves.isWaiting() ? Step.READ : Step.OVER;
            return;
        }
        questions.ask(VertexSet.of(current), new EdgeBatch(1));
        step = Step.CHOOSE;
    }

    /** Asks for the edges of the next vertices. */
    private void choose() {
        if (end == 0) {
            degrees = new long[current.size()];
            Arrays.setAll(degrees, i -> requests.degree(current.source(i)));
        }
        vertices = new MovableVertices(requests::hold);
        EdgeBatch wanted = new EdgeBatch();
        long edges = 0;
        VertexSet chosen = new VertexSet();
        for (end = next; end < current.size() && (end == next || edges + degrees[end] <= EDGES); end++) {
            long vertex = current.source(end);
            if (chosen.find(vertex) != SlotIndex.NO_SLOT) {
                break;
            }
            edges += degrees[end];
            chosen.add(vertex);
            vertices.want(vertex);
            MovableVertices.append(vertex, wanted);
        }
        requests.send();
        requests.edges().watch(vertices);
        questions.ask(chosen, wanted);
        step = Step.ASK_NEIGHBOURS;
    }

    private long move(long limit, BooleanSupplier mayGoOn) {
        long moved = 0;
        for (; next < end && moved < limit && mayGoOn.getAsBoolean(); next++) {
            long vertex = current.source(next);
            int place = current.place(next);
            if (vertices.isStale(vertex)) {
                repeated.addFrom(current, next);
            } else if (requests.degree(vertex) > 0) { // else it is gone
                moved += move.make(vertex, vertex, Place.ofSource(place), Place.ofTarget(place));
            }
        }
        if (next == end) {
            release();
            step = next == current.size() ? Step.READ : Step.CHOOSE;
        }
        return moved;
    }

    @Override
    public void replied(Views reply) {
        if (questions.answered(reply)) {
            vertices.load(reply.copies());
        }
    }

    private void release() {
        requests.edges().watch((MovableVertices) null);
        requests.release();
    }

    @Override
    public boolean isOver() {
        return step == Step.OVER;
    }

    @Override
    public void close() {
        release();
        step = Step.OVER;
    }
}
