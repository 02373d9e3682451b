package io.cutwater.state.bulk;

/** Is told how far a bulk run is, a few times a second at most by what it does, on the thread that runs it. */
@FunctionalInterface
public interface BulkProgress {
    /** For callers that do not look. */
    BulkProgress NONE = (pass, share) -> {};

    /**
     * Some more of a pass is done.
     *
     * @param pass its name, for people
     * @param share how much of it is done, 0 to 1
     */
    void passed(String pass, double share);
}
