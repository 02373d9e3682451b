package io.cutwater.flink.job.option;

import java.time.Duration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.util.TimeUtils;

/** Parser of times and sizes in Flink's notation, in which a time may lack its unit. */
public final class OptionText {
    private OptionText() {}

    /**
     * Parses a time such as {@code 500ms}, {@code 10s}, {@code 2min} or {@code 1h}; a bare number is seconds.
     *
     * @throws IllegalArgumentException if it is not a time; the message is meant for users
     */
    public static Duration duration(String text) {
        try {
            return TimeUtils.parseDuration(text.matches("[0-9]+") ? text + "s" : text);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    "'%s' is not a time; write a number with ms, s, min, h or d".formatted(text), e);
        }
    }

    /**
     * Parses a size in bytes such as {@code 4096}, {@code 64k}, {@code 256m} or {@code 2g}; k is 1,024.
     *
     * @throws IllegalArgumentException if it is not a size; the message is meant for users
     */
    public static long bytes(String text) {
        try {
            return MemorySize.parseBytes(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'%s' is not a size; write a number of bytes, or a number with k, m, g or t".formatted(text), e);
        }
    }
}
