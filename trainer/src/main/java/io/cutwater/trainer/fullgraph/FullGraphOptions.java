package io.cutwater.trainer.fullgraph;

import io.cutwater.trainer.exchange.RowCoding;
import io.cutwater.trainer.exchange.Staleness;
import io.cutwater.trainer.model.ModelOptions;

/**
 * How the workers of a full-graph training exchange rows.
 *
 * @param coding encoding of rows and sums in frames
 * @param mayDelayGradients whether the staleness rule holds for gradients, too
 */
public record FullGraphOptions(Staleness staleness, RowCoding coding, boolean mayDelayGradients) {
    /** Exact training. */
    public static final FullGraphOptions EXACT = new FullGraphOptions(Staleness.NONE, RowCoding.FLOAT32, false);

    /**
     * Refuses a model whose aggregation is not linear.
     *
     * @throws IllegalArgumentException if the model cannot be trained in this mode; the message is meant for users
     */
    public static void requireSupported(ModelOptions model) {
        if (!model.model().equals("gcn") && !model.model().equals("graphsage")) {
            throw new IllegalArgumentException(
                    "--mode full-graph trains gcn and graphsage, whose sums can be exchanged, but not '%s'; use --mode sync"
                            .formatted(model.model()));
        }
    }

    /** Returns a description of what the result depends on. */
    public String words() {
        return "full graph, staleness %s%s, rows as %s"
                .formatted(staleness, mayDelayGradients ? " of gradients, too" : "", coding.label());
    }
}
