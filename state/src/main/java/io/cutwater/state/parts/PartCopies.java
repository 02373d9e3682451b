package io.cutwater.state.parts;

import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.VertexPass;
import java.util.Arrays;

/**
 * Which vertices of a part other parts have a copy of, and whose vertices are copied here. Two parts number them alike,
 * in the order of the ids, so a message needs four bytes to name one.
 */
final class PartCopies {
    private final int[][] exported; // by part: slots of own vertices, ascending
    private final int[][] imported;

    /**
     * @param graph the edges of the part's own vertices, with slots in ascending order of the ids
     * @param partOf number of the part that owns the vertex of each slot
     * @param part number of this part, of so many {@code parts}
     */
    PartCopies(BoundedGraph graph, short[] partOf, int part, int parts) {
        exported = exported(graph, partOf, part, parts);
        int[] counts = new int[parts];
        for (short p : partOf) {
            counts[p]++;
        }
        imported = new int[parts][];
        for (int p = 0; p < parts; p++) {
            imported[p] = new int[p == part ? 0 : counts[p]];
            counts[p] = 0;
        }
        for (int slot = 0; slot < partOf.length; slot++) {
            int p = partOf[slot];
            if (p != part) {
                imported[p][counts[p]++] = slot;
            }
        }
    }

    private static int[][] exported(BoundedGraph graph, short[] partOf, int part, int parts) {
        int[][] lists = new int[parts][8];
        int[] sizes = new int[parts];
        int[] last = new int[parts];
        Arrays.fill(last, -1);
        try (VertexPass pass = graph.vertices()) {
            while (pass.next()) {
                int slot = pass.vertex();
                for (int i = pass.from(); i < pass.to() && partOf[slot] == part; i++) {
                    int p = partOf[pass.neighbours()[i]];
                    if (p != part && last[p] != slot) {
                        last[p] = slot;
                        if (sizes[p] == lists[p].length) {
                            lists[p] = Arrays.copyOf(lists[p], 2 * sizes[p]);
                        }
                        lists[p][sizes[p]++] = slot;
                    }
                }
            }
        }
        for (int p = 0; p < parts; p++) {
            lists[p] = Arrays.copyOf(lists[p], sizes[p]);
        }
        return lists;
    }

    /** Returns the own vertices that another part has a copy of, by number. */
    int[] exported(int other) {
        return exported[other];
    }

    /** Returns the copies of vertices of another part, by number. */
    int[] imported(int other) {
        return imported[other];
    }
}
