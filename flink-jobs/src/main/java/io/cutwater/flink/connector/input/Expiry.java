package io.cutwater.flink.connector.input;

import java.io.Serializable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rule by which edges leave a graph that is a sliding window.
 *
 * @param ttl time for which an edge stays, at least 1 ms
 * @param unit of the timestamps of edges, counted from 1970-01-01 in UTC, at which the time begins; an edge without
 *     timestamp, or with one of the future, begins when it arrives. Null if all do
 */
public record Expiry(Duration ttl, @Nullable TimeUnit unit) implements Serializable {}
