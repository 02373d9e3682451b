package io.cutwater.state.parts;

import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.VertexPass;

/** Copies of vertices in parts of one graph, all of which name a vertex by its slot. There are 64 parts at most. */
final class SharedSlots implements Copies {
    private final short[] partOf;
    private final int part;
    private final long[] copies;

    /**
     * @param graph the lists of neighbours of the part's own vertices
     * @param partOf the part of each vertex
     * @param copies of each vertex: a bit for each part that has one; the same array for all parts, each of which uses
     *     the words of its own vertices
     */
    SharedSlots(BoundedGraph graph, short[] partOf, int part, long[] copies) {
        this.partOf = partOf;
        this.part = part;
        this.copies = copies;
        try (VertexPass pass = graph.vertices()) {
            while (pass.next()) {
                long parts = 0;
                for (int i = pass.from(); i < pass.to(); i++) {
                    parts |= 1L << partOf[pass.neighbours()[i]];
                }
                copies[pass.vertex()] = parts & ~(1L << part);
            }
        }
    }

    @Override
    public int rankAt(int other, int slot) {
        return (copies[slot] >>> other & 1) == 0 ? -1 : slot;
    }

    @Override
    public int nextExported(int other, int rank) {
        for (int slot = rank; slot < partOf.length; slot++) {
            if (partOf[slot] == part && rankAt(other, slot) >= 0) {
                return slot;
            }
        }
        return -1;
    }

    @Override
    public int exported(int other, int rank) {
        return rank;
    }

    @Override
    public int rankOfCopy(int owner, int slot) {
        return slot;
    }

    @Override
    public int imported(int other, int rank) {
        return rank;
    }
}
