package io.cutwater.flink.job.option;

import io.cutwater.flink.connector.input.Expiry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Validates the options by which edges expire. */
final class ExpiryOptions {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final String ARRIVAL = LiveJobConfig.TTL_FROM.defaultValue();
    private static final Map<String, TimeUnit> UNITS = Map.of(
            "s",
            TimeUnit.SECONDS,
            "ms",
            TimeUnit.MILLISECONDS,
            "us",
            TimeUnit.MICROSECONDS,
            "ns",
            TimeUnit.NANOSECONDS);

    private ExpiryOptions() {}

    /**
     * @return null if edges do not expire
     * @throws IllegalArgumentException if the options are invalid; the message names one
     */
    static @Nullable Expiry parse(OptionValues values, boolean keepsEdges) {
        if (!values.given().containsKey(LiveJobConfig.TTL.key())) {
            if (values.given().containsKey(LiveJobConfig.TTL_FROM.key())) {
                throw values.wrong(LiveJobConfig.TTL_FROM, "needs --ttl");
            }
            return null;
        }
        Duration ttl = values.duration(LiveJobConfig.TTL);
        if (ttl.compareTo(SHORTEST) < 0 || ttl.compareTo(LONGEST) > 0) {
            throw values.wrong(LiveJobConfig.TTL, "must be 1s to 36500d");
        }
        if (!keepsEdges) {
            throw values.wrong(LiveJobConfig.TTL, "needs --keep-edges: only edges that are kept can be removed");
        }
        String from = values.read(LiveJobConfig.TTL_FROM, name -> name);
        if (!UNITS.containsKey(from) && !from.equals(ARRIVAL)) {
            throw values.wrong(LiveJobConfig.TTL_FROM, "must be arrival, s, ms, us or ns");
        }
        return new Expiry(ttl, UNITS.get(from));
    }
}
