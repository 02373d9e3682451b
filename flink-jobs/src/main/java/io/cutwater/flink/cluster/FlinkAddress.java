package io.cutwater.flink.cluster;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a Flink cluster's REST endpoint is. */
public record FlinkAddress(String host, int port) {
    private static final Pattern FORM = Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+\\]):([0-9]{1,5})");
    private static final int MAX_PORT = 65_535;

    /**
     * From {@code HOST:PORT}.
     *
     * @throws IllegalArgumentException with one sentence
     */
    public static FlinkAddress parse(String address) {
        Matcher matcher = FORM.matcher(address.strip());
        if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > MAX_PORT) {
            throw new IllegalArgumentException(
                    "--flink must be HOST:PORT of Flink's REST endpoint, such as localhost:8081: '%s'"
                            .formatted(address));
        }
        return new FlinkAddress(matcher.group(1), Integer.parseInt(matcher.group(2)));
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
