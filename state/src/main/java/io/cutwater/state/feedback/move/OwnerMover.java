package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.TableRequests;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.feedback.bucket.MovableVertices;
import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.repartition.Moves;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Has the tables move vertices, if there are several assigners: each table changes the owner, and tells all assigners,
 * which move their own edges when they hear of it. So an assigner asks for the moves of the vertices that are its own
 * as sources, some at a time, and waits for the answers, which say how many edges move.
 */
final class OwnerMover implements TableMover {
    private static final int VERTICES = 256;

    /** With a limit, so that a rate is kept in the mean. */
    private static final int FEW_VERTICES = 8;

    private final TableRequests requests;
    private final Moves moves;
    private final TableQuestions questions;
    private long moved;
    private boolean isRead;

    OwnerMover(TableRequests requests, Moves moves) {
        this.requests = requests;
        this.moves = moves;
        questions = new TableQuestions(requests);
    }

    @Override
    public long step(long limit, BooleanSupplier mayGoOn) throws IOException {
        if (!isRead && requests.isReady() && !questions.areOpen()) {
            ask(limit == Long.MAX_VALUE ? VERTICES : FEW_VERTICES);
        }
        long now = moved;
        moved = 0;
        return now;
    }

    private void ask(int most) throws IOException {
        EdgeBatch wanted = new EdgeBatch(1);
        while (wanted.size() < most && moves.next()) {
            MovableVertices.append(moves.source(), wanted);
            wanted.setPlace(wanted.size() - 1, Place.of(moves.from(), moves.to()));
        }
        isRead = wanted.isEmpty() && !moves.isWaiting();
        questions.ask(new VertexSet(), wanted);
    }

    @Override
    public void replied(Views reply) {
        if (questions.answered(reply)) {
            for (int i = 0; i < reply.copies().size(); i++) {
                moved += reply.copies().target(i);
            }
        }
    }

    @Override
    public boolean isOver() {
        return isRead && moved == 0;
    }

    @Override
    public void close() {
        questions.drop();
        isRead = true;
        moved = 0;
    }
}
