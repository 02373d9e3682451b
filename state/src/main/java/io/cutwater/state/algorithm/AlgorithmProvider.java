package io.cutwater.state.algorithm;

import io.cutwater.state.PublicApi;

/**
 * Registers an algorithm of a jar on the class path in the table of algorithms. The jar names the class, which needs a
 * public constructor without parameters, in {@code META-INF/services/io.cutwater.state.algorithm.AlgorithmProvider}.
 */
@FunctionalInterface
@PublicApi
public interface AlgorithmProvider {
    /** The algorithm; called whenever an algorithm is looked up, so it must be cheap. */
    Algorithm algorithm();
}
