package io.cutwater.state.bulk;

/** A listener for the progress of a bulk run, called on the thread of the run, a few times per second at most. */
@FunctionalInterface
public interface BulkProgress {
    /** Ignores all progress. */
    BulkProgress NONE = (pass, share) -> {};

    /**
     * Some more of a pass is done.
     *
     * @param pass its name, for people
     * @param share how much of it is done, 0 to 1
     */
    void passed(String pass, double share);
}
