package io.cutwater.trainer.averaging;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The length of a round: the distance between two averages.
 *
 * @param count at least 1
 * @param isOfBatches whether {@code count} is in mini-batches of each shard rather than in epochs
 */
public record AverageEvery(int count, boolean isOfBatches) {
    private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,8})?(batch(?:es)?)?");

    public AverageEvery {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "there must be at least 1 epoch or mini-batch between averages: " + count);
        }
    }

    /**
     * Parses a number of epochs, such as {@code 2}, or of mini-batches, such as {@code batch} or {@code 4batches}.
     *
     * @throws IllegalArgumentException if the text is neither; the message is meant for users
     */
    public static AverageEvery of(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            throw new IllegalArgumentException(
                    "it must be a number of epochs, such as 2, or of mini-batches, such as batch or 4batches: '%s'"
                            .formatted(text));
        }
        String number = matcher.group(1);
        return new AverageEvery(number == null ? 1 : Integer.parseInt(number), matcher.group(2) != null);
    }

    public static AverageEvery epochs(int count) {
        return new AverageEvery(count, false);
    }

    public static AverageEvery batches(int count) {
        return new AverageEvery(count, true);
    }

    /** Returns a description for users, which {@link #of} cannot parse. */
    @Override
    public String toString() {
        return "%d %s".formatted(count, isOfBatches ? "mini-batches" : "epochs");
    }
}
