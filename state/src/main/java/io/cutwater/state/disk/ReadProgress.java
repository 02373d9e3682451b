package io.cutwater.state.disk;

/** A listener for the progress of a pass over files. */
@FunctionalInterface
public interface ReadProgress {
    /** @param pass its name, for people; @param share how much of it is done, 0 to 1 */
    void read(String pass, double share);
}
