package io.cutwater.trainer.averaging;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The length of a round: the distance between two averages.
 *
 * @param count at least 1
 * @param unit what {@code count} counts
 */
public record AverageEvery(int count, Unit unit) {
    private static final String GRADIENTS = "gradients";
    private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,8})?(batch(?:es)?)?");

    /** The unit of the distance between two averages. */
    public enum Unit {
        /** Models are averaged after epochs. */
        EPOCHS,
        /** Models are averaged after mini-batches of each shard. */
        BATCHES,
        /** Gradients are averaged in each step, which all shards take together; a round is one epoch. */
        GRADIENTS
    }

    public AverageEvery {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "there must be at least 1 epoch or mini-batch between averages: " + count);
        }
    }

    /**
     * Parses a number of epochs, such as {@code 2}, or of mini-batches, such as {@code batch} or {@code 4batches}, or
     * {@code gradients}.
     *
     * @throws IllegalArgumentException if the text is neither; the message is meant for users
     */
    public static AverageEvery of(String text) {
        if (text.equals(GRADIENTS)) {
            return gradients();
        }
        Matcher matcher = TEXT.matcher(text);
        if (text.isEmpty() || !matcher.matches()) {
            throw new IllegalArgumentException(
                    "it must be a number of epochs, such as 2, or of mini-batches, such as batch or 4batches, or gradients: '%s'"
                            .formatted(text));
        }
        String number = matcher.group(1);
        return new AverageEvery(
                number == null ? 1 : Integer.parseInt(number), matcher.group(2) == null ? Unit.EPOCHS : Unit.BATCHES);
    }

    public static AverageEvery epochs(int count) {
        return new AverageEvery(count, Unit.EPOCHS);
    }

    public static AverageEvery batches(int count) {
        return new AverageEvery(count, Unit.BATCHES);
    }

    /** Returns the averaging of gradients in each step. */
    public static AverageEvery gradients() {
        return new AverageEvery(1, Unit.GRADIENTS);
    }

    public boolean isOfGradients() {
        return unit == Unit.GRADIENTS;
    }

    /** Returns a description for users, which {@link #of} cannot parse. */
    @Override
    public String toString() {
        return switch (unit) {
            case EPOCHS -> count + " epochs";
            case BATCHES -> count + " mini-batches";
            case GRADIENTS -> "step, by gradients";
        };
    }
}
