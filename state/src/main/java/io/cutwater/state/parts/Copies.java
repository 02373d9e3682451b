package io.cutwater.state.parts;

/**
 * Which vertices of a part other parts have a copy of, and whose vertices are copied here. Two parts number them alike.
 */
interface Copies {
    /** Returns the number that another part and this one have for an own vertex; negative if it has no copy there. */
    int rankAt(int other, int slot);

    /**
     * Returns the first of the numbers from {@code rank} on that a copy at another part has; negative if none has one.
     */
    int nextExported(int other, int rank);

    /** Returns the own vertex that has this number at another part. */
    int exported(int other, int rank);

    /** Returns the number that the part of a copy has for it. */
    int rankOfCopy(int owner, int slot);

    /** Returns the copy that has this number at its part. */
    int imported(int other, int rank);
}
