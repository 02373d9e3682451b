package io.cutwater.format.text;

/** The ids of vertices whose names are text. */
@FunctionalInterface
public interface NameIds {
    /**
     * Returns the id of a name.
     *
     * @param from the name's first byte
     * @param to the byte after its last
     * @throws IllegalArgumentException if the text is no name; the message is the rest of a sentence that begins with
     *     it
     */
    long id(byte[] text, int from, int to);
}
