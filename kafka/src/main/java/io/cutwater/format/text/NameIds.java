package io.cutwater.format.text;

/** The ids of vertices whose names are text. */
@FunctionalInterface
public interface NameIds {
    /**
     * Returns the id of a name.
     *
     * @param from the name's first byte
     * @param to the byte after its last
     */
    long id(byte[] text, int from, int to);
}
