package io.cutwater.state.parts;

import io.cutwater.state.graph.BoundedGraph;
import io.cutwater.state.graph.VertexPass;
import java.util.Arrays;

/** Copies of vertices in graphs of their own, numbered in the order of the ids, so that four bytes name one. */
final class PartCopies implements Copies {
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

    @Override
    public int rankAt(int other, int slot) {
        return Arrays.binarySearch(exported[other], slot);
    }

    @Override
    public int nextExported(int other, int rank) {
        return rank < exported[other].length ? rank : -1;
    }

    @Override
    public int exported(int other, int rank) {
        return exported[other][rank];
    }

    @Override
    public int rankOfCopy(int owner, int slot) {
        return Arrays.binarySearch(imported[owner], slot);
    }

    @Override
    public int imported(int other, int rank) {
        return imported[other][rank];
    }
}
