package io.cutwater.flink.connector.bulk.work;

import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.flink.connector.input.StartPlaces;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.partition.PartitionerOptions;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Work of a source's thread on a bounded input. */
public sealed interface InputWork extends Serializable {
    /** Returns what is read. */
    EdgeInput input();

    /**
     * Runs the work up to the last batch.
     *
     * @param scratch a folder for scratch files, which may contain those of an earlier attempt
     * @param from position at which emitting begins
     */
    void run(Path scratch, BulkSplit from, BatchHandover out, BulkStage stage) throws IOException, InterruptedException;

    /** Rows that are emitted without a place, besides the edges that are left. */
    enum Shown {
        NONE,
        /**
         * Removals that found nothing, for a job that counts them, and all of vertices, for a job that forgets their
         * data.
         */
        UNKNOWN_REMOVALS,
        /** Duplicates, removals, and the edges that they removed. */
        ALL
    }

    /**
     * Places all edges in passes, and emits them with their places.
     *
     * @param input files, or a topic between two offsets
     * @param given places that edges or vertices have already; null for none
     * @param shown rows that are emitted besides the edges that are left
     * @param parts of the graph that are placed at the same time, each in a thread, or in a task
     * @param task that has one of the parts, and reads a piece of the input; null if one task has all
     */
    record Place(
            EdgeInput input,
            PartitionerOptions options,
            @Nullable DuplicateRule dedupe,
            @Nullable StartPlaces given,
            Shown shown,
            int parts,
            @Nullable BulkTask task)
            implements InputWork {
        private static final long serialVersionUID = 1;

        /** The work of one task on all parts. */
        public Place(
                EdgeInput input,
                PartitionerOptions options,
                @Nullable DuplicateRule dedupe,
                @Nullable StartPlaces given,
                Shown shown,
                int parts) {
            this(input, options, dedupe, given, shown, parts, null);
        }

        /** Returns the work of one of several tasks, each of which has a part. */
        public Place inTask(BulkTask one) {
            EdgeInput.Net whole = (EdgeInput.Net) input;
            EdgeInput piece = new EdgeInput.Net(whole.topic().piece(one.number(), parts), whole.removesVertices());
            return new Place(piece, options, dedupe, given, shown, parts, one);
        }

        /** @throws IllegalArgumentException if no bulk run takes the options */
        public Place {
            new BulkRequest(options, dedupe, given == null ? null : given.toString(), parts);
        }

        @Override
        public void run(Path scratch, BulkSplit from, BatchHandover out, BulkStage stage)
                throws IOException, InterruptedException {
            new BulkWork(this, from, out, stage).run(scratch);
        }

        BulkRequest request() {
            return new BulkRequest(options, dedupe, given == null ? null : given.toString(), parts);
        }
    }

    /**
     * Emits the edges that are left at the end of the input.
     *
     * @param passes how often, at least 1
     */
    record Net(EdgeInput.Net input, @Nullable DuplicateRule dedupe, int passes) implements InputWork {
        private static final long serialVersionUID = 1;

        @Override
        public void run(Path scratch, BulkSplit from, BatchHandover out, BulkStage stage)
                throws IOException, InterruptedException {
            new ResolveRemovals(this, from, out, stage).run(scratch);
        }
    }
}
