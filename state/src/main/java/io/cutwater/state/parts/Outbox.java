package io.cutwater.state.parts;

import java.util.Arrays;

/** Messages that are being written, one for each part. */
public final class Outbox {
    private final long[][] words;
    private final int[] sizes;

    /** Empty messages to so many parts. */
    public Outbox(int parts) {
        words = new long[parts][0];
        sizes = new int[parts];
    }

    /** Appends a word to the message to a part. */
    public void add(int part, long word) {
        int size = sizes[part];
        if (size == words[part].length) {
            words[part] = Arrays.copyOf(words[part], Math.max(16, Math.addExact(size, size / 2)));
        }
        words[part][size] = word;
        sizes[part] = size + 1;
    }

    /** Returns the messages; the next ones are empty again. */
    long[][] take() {
        long[][] messages = new long[words.length][];
        for (int part = 0; part < messages.length; part++) {
            messages[part] = sizes[part] == words[part].length ? words[part] : Arrays.copyOf(words[part], sizes[part]);
            words[part] = new long[0];
            sizes[part] = 0;
        }
        return messages;
    }
}
