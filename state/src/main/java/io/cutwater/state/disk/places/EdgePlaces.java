package io.cutwater.state.disk.places;

import io.cutwater.state.PublicApi;
import io.cutwater.state.graph.EdgeBatch;

/** The place of each edge of a graph, read and rewritten in passes over its edges. */
@PublicApi
public interface EdgePlaces {
    /** The place of an edge that was never placed. */
    int NONE = EdgeBatch.NO_PLACE;

    /** Begins a pass. */
    Pass pass();

    /** A cursor over edges, which starts before the first. */
    interface Pass extends AutoCloseable {
        /** Goes to the next edge, which must exist, and returns its place. */
        int next();

        /** Gives the present edge another place, 0 to 4095. */
        void set(int place);

        /** Closes the pass; places that were set last may be lost otherwise. */
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
