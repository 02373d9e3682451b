package io.cutwater.trainer.model;

import java.util.Locale;

/**
 * The shape of a network.
 *
 * @param model a name that {@link GnnModels} knows
 * @param layers at least 1
 * @param hidden numbers per vertex between layers
 * @param heads of attention, of {@code gat} only; they share {@code hidden}
 * @param aggregator of {@code graphsage} only
 * @param dropout probability with which an input of a layer is dropped in training, from 0 to below 1
 */
public record ModelOptions(String model, int layers, int hidden, int heads, Aggregator aggregator, double dropout) {
    /** How {@code graphsage} combines the neighbours of a vertex. */
    public enum Aggregator {
        /** Their mean, weighed apart from the vertex itself. */
        MEAN,
        /** The mean of them and the vertex. */
        GCN;

        /** The name that users give. */
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
