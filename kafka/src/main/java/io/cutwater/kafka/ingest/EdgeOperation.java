package io.cutwater.kafka.ingest;

/** The operation that edges of files stand for on a topic. */
public enum EdgeOperation {
    ADD,
    /** Each edge removes a copy of itself. */
    REMOVE
}
