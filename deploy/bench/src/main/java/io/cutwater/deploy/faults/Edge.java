package io.cutwater.deploy.faults;

/** One edge of a run's graph, with the ids of its ends. */
public record Edge(long source, long target) {
    @Override
    public String toString() {
        return source + " " + target;
    }
}
