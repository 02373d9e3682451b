package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.checkpoint.KeyedAdjacency;
import io.cutwater.flink.checkpoint.KeyedVertexStore;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.feedback.bucket.BucketEdges;
import io.cutwater.state.graph.EdgeBatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The edges of a vertex table in a job that removes vertices, which {@link VertexEdgesOperator} lacks if one task has
 * left them. The table passes on both ends of each when it is asked, and does not greet the assigners before that: so
 * no change of this attempt is among them. It keeps the edges under their sources only.
 *
 * <p>Nothing of it is stored. The job takes no checkpoint before the operator has all edges.
 */
final class LeftEdges {
    /** What a message has. */
    enum Kind {
        /** Edges that are kept in the table. */
        KEPT,
        /** Edges that the one task had in its buffer. */
        BUFFERED,
        /** Nothing more: it is the last message of the table. */
        END,
        /** Nothing: no job of one task has left the edges of the table. */
        NONE
    }

    /**
     * Says what a message has, and of which buckets.
     *
     * @param bucket the first one of the table
     * @param buckets how many the table has, at least 1
     */
    record Header(Kind kind, int bucket, int buckets) {
        private static final long MASK = 0xffff;

        static Header of(VertexUpdate message) {
            long header = message.endsHeader();
            return new Header(
                    Kind.values()[(int) (header >>> Integer.SIZE)], (int) (header >>> Short.SIZE & MASK), (int)
                            (header & MASK));
        }

        long toLong() {
            return (long) kind.ordinal() << Integer.SIZE | (long) bucket << Short.SIZE | buckets;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(LeftEdges.class);
    private static final long NOBODY = 0; // no run is that

    private final BucketEdges edges;
    private final KeyedAdjacency adjacency;
    private final KeyedVertexStore store;
    private final int table;
    private final int firstBucket;
    private final int buckets;
    private boolean isDue;
    private long passedOnTo = NOBODY;
    private long part;

    /**
     * @param isDue whether one task has left the edges
     * @param table number of the table
     * @param buckets how many it has
     */
    LeftEdges(
            boolean isDue,
            BucketEdges edges,
            KeyedAdjacency adjacency,
            KeyedVertexStore store,
            int table,
            int firstBucket,
            int buckets) {
        this.isDue = isDue;
        this.edges = edges;
        this.adjacency = adjacency;
        this.store = store;
        this.table = table;
        this.firstBucket = firstBucket;
        this.buckets = buckets;
    }

    /** Returns whether there are edges that nobody has asked for. */
    boolean areDue() {
        return isDue;
    }

    /**
     * Answers the question for the edges.
     *
     * @param run of the operator that asks
     * @param buffered edges of the one task, as far as this table has them
     * @param messages may block
     * @throws IllegalStateException if an operator of another attempt has got them, which ends the attempt
     */
    void answer(long run, EdgeBatch buffered, Consumer<VertexUpdate> messages) {
        if (passedOnTo == run) {
            return; // asked more than once
        }
        if (passedOnTo != NOBODY) {
            throw new IllegalStateException("edges were passed on to an earlier attempt of the job, which has ended;"
                    + " the job restarts from its last checkpoint");
        }
        part = 0;
        if (!isDue) {
            send(run, Kind.NONE, new EdgeBatch(1), messages);
            return;
        }
        passedOnTo = run;
        isDue = false;
        long begun = System.nanoTime();
        long passedOn = passOnKept(run, messages) + buffered.size();
        send(run, Kind.BUFFERED, buffered, messages);
        send(run, Kind.END, new EdgeBatch(1), messages);
        LOG.info(
                "table {} has passed on the ends of {} edges that one task has left, which took {} ms",
                table,
                passedOn,
                (System.nanoTime() - begun) / 1_000_000);
    }

    private long passOnKept(long run, Consumer<VertexUpdate> messages) {
        EdgeBatch ends = new EdgeBatch();
        long[] passedOn = new long[1];
        Runnable send = () -> {
            passedOn[0] += ends.size();
            send(run, Kind.KEPT, ends, messages);
            ends.clear();
        };
        for (int bucket = firstBucket; bucket < firstBucket + buckets; bucket++) {
            for (long vertex : vertices(bucket)) {
                edges.endsFrom(vertex, ends, send);
                if (edges.hasPlaces()) {
                    adjacency.deleteIncoming(vertex);
                }
            }
        }
        send.run();
        return passedOn[0];
    }

    private long[] vertices(int bucket) {
        try {
            return store.vertices(bucket);
        } catch (Exception e) {
            throw new IllegalStateException(
                    "cannot read the vertices of bucket %d from the state backend".formatted(bucket), e);
        }
    }

    /** In parts, each small enough for one message. */
    private void send(long run, Kind kind, EdgeBatch ends, Consumer<VertexUpdate> messages) {
        long header = new Header(kind, firstBucket, buckets).toLong();
        int from = 0;
        do {
            int to = Math.min(ends.size(), from + EdgeBatch.DEFAULT_CAPACITY);
            EdgeBatch some = new EdgeBatch(Math.max(1, to - from));
            for (int i = from; i < to; i++) {
                some.add(ends.source(i), ends.target(i), Double.NaN, EdgeBatch.NO_TIMESTAMP, ends.key(i));
            }
            messages.accept(VertexUpdate.ends(run, table, part++, header, some));
            from = to;
        } while (from < ends.size());
    }
}
