package io.cutwater.format.text;

import java.nio.charset.StandardCharsets;

/** Quotes foreign text for a message: printable, and cut to a short length. */
public final class Excerpt {
    private static final int MAX_CHARACTERS = 40;

    private Excerpt() {}

    static String of(byte[] bytes, int from, int to) {
        int end = Math.min(to, from + MAX_CHARACTERS + 1);
        return of(new String(bytes, from, end - from, StandardCharsets.ISO_8859_1));
    }

    public static String of(String text) {
        int length = Math.min(text.length(), MAX_CHARACTERS);
        StringBuilder quoted = new StringBuilder(length + 3).append('\'');
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            quoted.append(c >= ' ' && c < 0x7F ? c : '?');
        }
        return quoted.append(length < text.length() ? "…'" : "'").toString();
    }
}
