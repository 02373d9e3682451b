package io.cutwater.state.placement;

/** Refinement of graphs that are too small for that of a job. */
public final class ShortLag {
    private ShortLag() {}

    /** See {@link Placement#refine(double, int)}. */
    public static void refine(Placement placement, double share, int lag) {
        placement.refine(share, lag);
    }
}
