package io.cutwater.flink.connector.bulk;

import io.cutwater.flink.connector.EdgeInput;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.table.DuplicateRule;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What the thread of a source is to do with a bounded input. */
sealed interface InputWork extends Serializable {
    /**
     * Does it, up to the last batch.
     *
     * @param scratch a folder for scratch files; what an attempt before has left there may be in it
     * @param from where emitting begins
     */
    void run(Path scratch, BulkSplit from, BatchHandover out, BulkStage stage) throws IOException, InterruptedException;

    /** Rows that are emitted without a place, beside the edges that are left. */
    enum Shown {
        NONE,
        /** Of edges that were not there, for a job that counts them. */
        UNKNOWN_REMOVALS,
        /** Duplicates, removals, and the edges that these took away. */
        ALL
    }

    /**
     * Places all edges in passes, and emits them with their places.
     *
     * @param input files, or a topic between two offsets
     * @param shown which rows are emitted beside the edges that are left
     */
    record Place(
            EdgeInput input,
            PartitioningKind kind,
            PartitionerOptions options,
            @Nullable DuplicateRule dedupe,
            Shown shown)
            implements InputWork {
        private static final long serialVersionUID = 1;

        /** @throws IllegalArgumentException if no bulk run takes the options */
        public Place {
            new BulkRequest(kind, options, dedupe);
        }

        @Override
        public void run(Path scratch, BulkSplit from, BatchHandover out, BulkStage stage)
                throws IOException, InterruptedException {
            new BulkWork(this, from, out, stage).run(scratch);
        }

        BulkRequest request() {
            return new BulkRequest(kind, options, dedupe);
        }
    }

    /**
     * Finds the edges that are left of the input, and emits them.
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
