package io.cutwater.state.disk.places;

import io.cutwater.state.graph.EdgeBatch;

/** The place of each edge of a graph, read and rewritten in passes over its edges. */
public interface EdgePlaces {
    /** What an edge has that was never given a place. */
    int NONE = EdgeBatch.NO_PLACE;

    /** Begins a pass. */
    Pass pass();

    /** Stands on one edge after the other; before the first at the beginning. */
    interface Pass extends AutoCloseable {
        /** Goes to the next edge, which must exist; its place. */
        int next();

        /** Gives the present edge another place, 0 to 4095. */
        void set(int place);

        /** Without it, what was set last may be lost. */
        @Override
        void close();
    }

    /** No edge has one. */
    static EdgePlaces none() {
        return () -> new Pass() {
            @Override
            public int next() {
                return NONE;
            }

            @Override
            public void set(int place) {
                throw new UnsupportedOperationException("these edges have no places");
            }

            @Override
            public void close() {
                // There is nothing.
            }
        };
    }

    /** In an array, with an entry for each edge. */
    static EdgePlaces of(int[] places) {
        return () -> new Pass() {
            private int edge = -1;

            @Override
            public int next() {
                return places[++edge];
            }

            @Override
            public void set(int place) {
                places[edge] = place;
            }

            @Override
            public void close() {
                // Everything is in the array.
            }
        };
    }
}
