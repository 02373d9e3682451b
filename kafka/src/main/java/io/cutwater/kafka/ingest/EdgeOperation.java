package io.cutwater.kafka.ingest;

/** What the edges of files are on a topic. */
public enum EdgeOperation {
    ADD,
    /** Each takes away a copy of itself. */
    REMOVE
}
