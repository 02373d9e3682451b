package io.cutwater.trainer.exchange;

import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides when a worker sends rows again, and when its receivers go on with old ones (Peng et al. 2022, SANCUS:
 * staleness-aware communication-avoiding full-graph decentralized training, section 4). Each sender decides alone.
 *
 * @param kind the rule
 * @param bound largest age of rows in epochs, at least 0
 * @param change relative change in the Frobenius norm above which rows are sent; used by {@link Kind#VARIATION} only
 * @param warmUp epochs at the start of a training in which rows are always sent
 */
public record Staleness(Kind kind, int bound, double change, int warmUp) {
    /** Sends always: the result is that of training on the whole graph. */
    public static final Staleness NONE = new Staleness(Kind.NONE, 0, 0, 0);
    /** Epochs at the start of a training in which rows change fast. */
    public static final int WARM_UP = 20;

    private static final int VARIATION_BOUND = 10;
    private static final Pattern TEXT =
            Pattern.compile("(epoch|adaptive):([1-9][0-9]{0,5})|variation:([0-9.]+)(?:,([1-9][0-9]{0,5}))?|none");

    /** The rules. */
    public enum Kind {
        /** Always. */
        NONE,
        /** When rows are older than the bound, at all workers in the same epoch. */
        EPOCH,
        /**
         * When rows are older than the bound, at each worker in another epoch, so that each epoch has a similar share
         * of the traffic. In an edge partitioning a partial sum is as old as its oldest row, so workers keep in step.
         */
        ADAPTIVE,
        /** When rows have changed enough, or are older than the bound. */
        VARIATION
    }

    public Staleness {
        if (bound < 0 || !(change >= 0) || warmUp < 0) {
            throw new IllegalArgumentException(
                    "bound, change and warm-up must be at least 0: %d, %s, %d".formatted(bound, change, warmUp));
        }
    }

    /**
     * Parses {@code none}, {@code epoch:E}, {@code adaptive:A}, {@code variation:H} or {@code variation:H,A}.
     *
     * @throws IllegalArgumentException if the text is none of these; the message is meant for users
     */
    public static Staleness of(String text) {
        Matcher matcher = TEXT.matcher(text);
        try {
            if (matcher.matches()) {
                if (text.equals("none")) {
                    return NONE;
                }
                if (matcher.group(1) != null) {
                    Kind kind = Kind.valueOf(matcher.group(1).toUpperCase(Locale.ROOT));
                    return new Staleness(kind, Integer.parseInt(matcher.group(2)), 0, WARM_UP);
                }
                int bound = matcher.group(4) == null ? VARIATION_BOUND : Integer.parseInt(matcher.group(4));
                return new Staleness(Kind.VARIATION, bound, Double.parseDouble(matcher.group(3)), WARM_UP);
            }
        } catch (NumberFormatException e) {
            // reported below, like any other text
        }
        throw new IllegalArgumentException(
                "it must be none, epoch:E, adaptive:A, variation:H or variation:H,A, such as epoch:1 or variation:0.02,"
                        + " but was '%s'".formatted(text));
    }

    /**
     * Returns whether rows are due.
     *
     * @param last version of the rows sent last
     * @param slot number by which adaptive senders take turns
     * @param changed relative change since then; asked for only if it matters
     */
    boolean isDue(int epoch, int last, int slot, DoubleSupplier changed) {
        if (kind == Kind.NONE || epoch < warmUp || epoch - last > bound) {
            return true;
        }
        return switch (kind) {
            case ADAPTIVE -> (epoch + slot) % (bound + 1) == 0;
            case VARIATION -> changed.getAsDouble() > change;
            default -> false;
        };
    }

    /** Returns a description that {@link #of} parses. */
    @Override
    public String toString() {
        return switch (kind) {
            case NONE -> "none";
            case EPOCH, ADAPTIVE -> "%s:%d".formatted(kind.name().toLowerCase(Locale.ROOT), bound);
            case VARIATION -> "variation:%s,%d".formatted(change, bound);
        };
    }
}
