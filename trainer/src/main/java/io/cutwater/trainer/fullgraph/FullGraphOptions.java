package io.cutwater.trainer.fullgraph;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.exchange.RowCoding;
import io.cutwater.trainer.exchange.Staleness;
import io.cutwater.trainer.model.ModelOptions;
import java.util.Set;

/**
 * How the workers of a full-graph training exchange rows.
 *
 * @param coding encoding of rows and sums in frames
 * @param mayDelayGradients whether the staleness rule holds for gradients, too
 */
public record FullGraphOptions(Staleness staleness, RowCoding coding, boolean mayDelayGradients) {
    private static final String GAT = "gat";
    private static final Set<String> MODELS = Set.of("gcn", "graphsage", GAT);

    /** Exact training. */
    public static final FullGraphOptions EXACT = new FullGraphOptions(Staleness.NONE, RowCoding.FLOAT32, false);

    /**
     * Refuses a model or rule that this mode does not have.
     *
     * @throws IllegalArgumentException if the model cannot be trained in this way; the message is meant for users
     */
    public void requireSupported(ModelOptions model) {
        if (!MODELS.contains(model.model())) {
            throw new IllegalArgumentException(
                    "--mode full-graph trains gcn, graphsage and gat, but not '%s'; use --mode sync"
                            .formatted(model.model()));
        }
        if (model.model().equals(GAT) && staleness.kind() == Staleness.Kind.VARIATION) {
            throw new IllegalArgumentException(
                    "--staleness variation does not work with --model gat, because dropout changes all its rows; use epoch or adaptive");
        }
    }

    /**
     * Refuses shards that cannot be used.
     *
     * @throws IllegalArgumentException if the model needs another kind of shards; the message is meant for users
     */
    public void requireShards(ModelOptions model, PartitioningKind kind) {
        if (!model.model().equals(GAT) || kind == PartitioningKind.VERTEX) {
            return;
        }
        if (staleness.kind() != Staleness.Kind.NONE) {
            throw new IllegalArgumentException(
                    "--staleness %s does not work with --model gat on shards of edges, because old parts of a softmax do not fit new ones; use none, or shards of vertices"
                            .formatted(staleness));
        }
        if (coding == RowCoding.INT8) {
            throw new IllegalArgumentException(
                    "--compress int8 does not work with --model gat on shards of edges, whose rows have gradients beside sums of the softmax; use float16, or shards of vertices");
        }
    }

    /** Returns a description of what the result depends on. */
    public String words() {
        return "full graph, staleness %s%s, rows as %s"
                .formatted(staleness, mayDelayGradients ? " of gradients, too" : "", coding.label());
    }
}
