package io.cutwater.trainer.averaging;

/**
 * When a training takes up what came to its graph.
 *
 * @param every epochs after which the graph is looked at again; 0: never, what is there at the start is all
 * @param follows whether training goes on after its last epoch, with a round for each newer cut, until its thread is
 *     interrupted
 */
public record Merging(int every, boolean follows) {
    /** For a graph that does not grow. */
    public static final Merging NEVER = new Merging(0, false);

    public Merging {
        if (every < 0) {
            throw new IllegalArgumentException("--merge-every must be at least 0: " + every);
        }
    }
}
