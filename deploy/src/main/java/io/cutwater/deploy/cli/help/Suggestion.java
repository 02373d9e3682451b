package io.cutwater.deploy.cli.help;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** What a user probably meant, or may type next. */
public final class Suggestion {
    private static final int MIN_EDITS = 2;
    private static final int LETTERS_PER_EDIT = 3;

    private Suggestion() {}

    /** Returns a word as a shell reads it: quoted if it has other characters than those of most paths. */
    public static String quoted(String word) {
        return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The name nearest to a word; empty if all names differ from it in more than a third of its letters. */
    public static Optional<String> nearest(String word, Collection<String> names) {
        int maxEdits = Math.max(MIN_EDITS, word.length() / LETTERS_PER_EDIT);
        LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
        return names.stream()
                .filter(name -> distance.apply(word, name) <= maxEdits)
                .min(Comparator.<String>comparingInt(name -> distance.apply(word, name))
                        .thenComparing(Comparator.naturalOrder()));
    }
}
