package io.cutwater.flink.checkpoint;

/** An edge as the key of an entry in keyed state. */
record EdgeKey(long source, long target) {}
