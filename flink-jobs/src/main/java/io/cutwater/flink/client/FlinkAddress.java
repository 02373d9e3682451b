package io.cutwater.flink.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Address of a Flink cluster's REST endpoint.
 *
 * @param isSecure whether it is reached by HTTPS
 */
public record FlinkAddress(String host, int port, boolean isSecure) {
    private static final Pattern FORM =
            Pattern.compile("(?:(https?)://)?([A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+\\]):([0-9]{1,5})/?");
    private static final int MAX_PORT = 65_535;

    /**
     * Parses {@code HOST:PORT}, {@code http://HOST:PORT} or {@code https://HOST:PORT}.
     *
     * @throws IllegalArgumentException if it is none of these; the message is meant for users
     */
    public static FlinkAddress parse(String address) {
        Matcher matcher = FORM.matcher(address.strip());
        if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > MAX_PORT) {
            throw new IllegalArgumentException(
                    "--flink must be HOST:PORT or https://HOST:PORT of Flink's REST endpoint, such as localhost:8081: '%s'"
                            .formatted(address));
        }
        return new FlinkAddress(matcher.group(2), Integer.parseInt(matcher.group(3)), isHttps(matcher.group(1)));
    }

    private static boolean isHttps(@Nullable String scheme) {
        return "https".equals(scheme);
    }

    /** Returns scheme, host and port. */
    public String url() {
        return "%s://%s:%d".formatted(isSecure ? "https" : "http", host, port);
    }

    /** Returns the address as users write it. */
    @Override
    public String toString() {
        return isSecure ? url() : host + ":" + port;
    }
}
