package io.cutwater.state.text;

import java.util.Locale;

/** Words for numbers of things in messages for users: "1 edge", "3,000 vertices". */
public final class Counted {
    private Counted() {}

    /**
     * Returns a number with its noun.
     *
     * @param one the noun in the singular, such as {@code vertex} or {@code dead letter}
     */
    public static String of(long count, String one) {
        return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : plural(one));
    }

    /** Returns the plural of a regular noun, or of one that ends as {@code vertex} does. */
    public static String plural(String one) {
        if (one.endsWith("ex")) {
            return one.substring(0, one.length() - 2) + "ices";
        }
        return one + (one.endsWith("s") || one.endsWith("ch") ? "es" : "s");
    }

    /** Returns the verb behind a number of things: {@code is} or {@code are}. */
    public static String are(long count) {
        return count == 1 ? "is" : "are";
    }
}
