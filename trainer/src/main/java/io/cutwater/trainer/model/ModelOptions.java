package io.cutwater.trainer.model;

import io.cutwater.state.PublicApi;
import java.util.Locale;

/**
 * The shape of a network.
 *
 * @param model a name known to {@link GnnModels}
 * @param layers number of layers, at least 1
 * @param hidden values per vertex between layers
 * @param heads attention heads, which share {@code hidden}; used by {@code gat} only
 * @param aggregator used by {@code graphsage} only
 * @param dropout probability of dropping an input of a layer in training, from 0 (inclusive) to 1 (exclusive)
 */
@PublicApi
public record ModelOptions(String model, int layers, int hidden, int heads, Aggregator aggregator, double dropout) {
    /** Aggregators of {@code graphsage}. */
    public enum Aggregator {
        /** The mean of the neighbours, weighted separately from the vertex itself. */
        MEAN,
        /** The mean of the vertex and its neighbours. */
        GCN;

        /** Returns the name for users. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public ModelOptions {
        if (layers < 1 || hidden < 1 || heads < 1) {
            throw new IllegalArgumentException(
                    "layers, hidden and heads must be at least 1: %d, %d, %d".formatted(layers, hidden, heads));
        }
        if (!(dropout >= 0 && dropout < 1)) {
            throw new IllegalArgumentException("dropout must be from 0 to below 1: " + dropout);
        }
    }
}
