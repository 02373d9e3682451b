package io.cutwater.state.partition;

/** Settings that several algorithms share; an algorithm with another default says so with {@code withDefault}. */
public final class Settings {
    /** Above the average, as a share of it: 0.05 is 5 %. */
    public static final NumericSetting IMBALANCE = new NumericSetting(
            "imbalance", "how far the fullest partition may be above the average number of edges", 0.05, 0, 1e3);

    public static final NumericSetting LAMBDA =
            new NumericSetting("lambda", "weight of the balance in the score", 1.1, 1e-3, 1e6);

    public static final NumericSetting WINDOW = new NumericSetting(
            "window", "edges that may be buffered until more is known of their endpoints", 10_000, 1, 10_000_000);

    /**
     * Several assigners that begin together know nothing of each other's edges, which are most of a young graph. And
     * they wait: while {@link io.cutwater.state.feedback.ask.AskWindow} lets 4 % of the graph be on its way in a round
     * trip of the loop of 50 to 100 ms, they place fewer edges in a second than one alone up to about this size.
     */
    public static final NumericSetting SOLO = new NumericSetting(
            "solo", "edges that one of several assigners places before the others begin", 4_000_000, 0, 1e15);

    /** A multiple of the average: 1.05 is 5 % above it. */
    public static final NumericSetting VERTEX_SLACK =
            new NumericSetting("vertex-slack", "vertices that a partition may own, over the average", 1.05, 1, 1e6);

    public static final NumericSetting VOLUME_SLACK = new NumericSetting(
            "volume-slack", "sum of degrees that a partition may own, over the average", 1.10, 1, 1e6);

    public static final NumericSetting SLACK =
            new NumericSetting("slack", "vertices that a partition may own, over the average", 1.1, 1, 1e6);

    public static final NumericSetting GRAIN =
            new NumericSetting("grain", "size of the largest cluster, as a share of a partition", 0.03, 1e-9, 1);

    public static final NumericSetting GAMMA =
            new NumericSetting("gamma", "exponent of the price of a full partition", 1.5, 1.01, 10);

    private Settings() {}
}
