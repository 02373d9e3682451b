package io.cutwater.flink.job.option;

import io.cutwater.flink.connector.input.Expiry;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.state.algorithm.Ability;
import io.cutwater.state.algorithm.Algorithm;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.algorithm.cutwater.CutwaterJointPartitioner;
import io.cutwater.state.partition.PartitionerOptions;
import org.jspecify.annotations.Nullable;

/** Validates the options that need edges to be kept: those by which edges are removed, replaced and moved. */
final class KeptEdgeOptions {
    /**
     * Edges that may move, as a share of those that come, if the user says nothing: what regions of a vertex
     * partitioning and the edges of buffers need. Of a smaller share little would be left for them.
     */
    private static final double REFINEMENT = 1;

    /** The default where edges get their places one by one: 1 % of the edges while a graph grows by 10 %. */
    private static final double SINGLE_REFINEMENT = 0.1;

    private final OptionValues values;
    private final boolean areKept;
    private final boolean isDistributed;

    KeptEdgeOptions(OptionValues values, boolean isDistributed) {
        this.values = values;
        this.isDistributed = isDistributed;
        areKept = values.flag(LiveJobConfig.KEEP_EDGES);
    }

    boolean areKept() {
        return areKept;
    }

    /** @throws IllegalArgumentException if records of the format cannot be applied to the edges */
    void require(RecordFormat eventFormat) {
        if (eventFormat.hasKeys() && !areKept) {
            throw values.wrong(
                    LiveJobConfig.EDGE_KEY, "needs --keep-edges: only edges that are kept can be replaced and removed");
        }
        if (eventFormat.removesAll() && values.given().containsKey(LiveJobConfig.TTL.key())) {
            throw values.wrong(LiveJobConfig.ON_TRUNCATE, "remove is not for jobs whose edges expire; omit --ttl");
        }
    }

    /** Returns the share of the edges that the job may move by itself in a round. */
    double ownBudget() {
        double ownBudget = values.share(LiveJobConfig.AUTO_REPARTITION);
        if (ownBudget > 0 && !areKept) {
            throw values.wrong(LiveJobConfig.AUTO_REPARTITION, "needs --keep-edges: only edges that are kept can move");
        }
        return ownBudget;
    }

    /** Returns when edges are removed again; null for never. */
    @Nullable Expiry expiry() {
        return ExpiryOptions.parse(values, areKept);
    }

    /**
     * Returns the share of the edges that may move; by default some do in a single task. In several tasks their moves
     * depend on time, and so would the output of one assigner.
     */
    double refinement(PartitionerOptions options) {
        Algorithm algorithm = Algorithms.of(options);
        boolean isRefinable = algorithm.abilities().contains(Ability.REFINEMENT);
        if (!values.given().containsKey(LiveJobConfig.REFINE.key())) {
            boolean movesTogether = algorithm.kind().hasOwners() || CutwaterJointPartitioner.BUFFER.of(options) > 0;
            double share = movesTogether ? REFINEMENT : SINGLE_REFINEMENT;
            return areKept && isRefinable && !isDistributed ? share : 0;
        }
        double share = values.share(LiveJobConfig.REFINE);
        if (share > 0 && !areKept) {
            throw values.wrong(LiveJobConfig.REFINE, "needs --keep-edges: only edges that are kept can move");
        }
        if (share > 0 && !isRefinable) {
            throw values.wrong(LiveJobConfig.REFINE, "needs an algorithm whose edges may move later, such as cutwater");
        }
        return share;
    }

    /** Returns whether records may remove vertices. */
    boolean removesVertices() {
        boolean removes = values.flag(LiveJobConfig.REMOVE_VERTICES);
        if (removes && !areKept) {
            throw values.wrong(
                    LiveJobConfig.REMOVE_VERTICES, "needs --keep-edges: only edges that are kept can be removed");
        }
        return removes;
    }
}
