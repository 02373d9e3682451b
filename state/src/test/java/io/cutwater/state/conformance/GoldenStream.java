package io.cutwater.state.conformance;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.placement.Placement;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads a graph as a job does, with removals, moves and closed partitions where edges are kept, and digests it all. */
final class GoldenStream {
    private static final int BATCH = 250;
    private static final int SMALL_CACHE = 20_000; // bytes: some of the vertices leave it

    private final EdgeBatch graph;
    private final MapVertexStore store = new MapVertexStore();
    private final PlacementDigest digest;
    private @Nullable VertexTable table;
    private @Nullable PartitionLoads partitionLoads;

    GoldenStream(EdgeBatch graph, PartitioningKind kind) {
        this.graph = graph;
        digest = new PlacementDigest(kind);
    }

    void open(VertexLayout layout, PartitionLoads loads) {
        table = new VertexTable(layout, store, SMALL_CACHE, 0, VertexTable.Listener.NONE);
        partitionLoads = loads;
    }

    VertexTable vertices() {
        if (table == null) {
            throw new IllegalStateException("open it first");
        }
        return table;
    }

    PlacementDigest digest() {
        return digest;
    }

    /** The graph in all passes; where edges are kept also removals, moves, and a while with fewer partitions. */
    void read(Placement assigner, int placingPass, boolean hasOwners) {
        for (int pass = 0; pass <= placingPass; pass++) {
            for (int from = 0; from < graph.size(); from += BATCH) {
                boolean isKept = assigner.keepsEdges();
                assigner.accept(batch(from, pass, isKept, hasOwners), digest);
                if (isKept && assigner.canChangePartitions() && from == 4 * BATCH) {
                    shrink(assigner, hasOwners);
                }
                if (pass == placingPass && from == 7 * BATCH) {
                    state(assigner);
                }
            }
            state(assigner);
        }
        assigner.placeHeld(digest);
        digest.add(assigner.unknownRemovals(), assigner.placedEdges(), assigner.heldEver());
        state(assigner);
    }

    /** With kept edges, the first ones come with their places, and every seventh is removed soon after. */
    private EdgeBatch batch(int from, int pass, boolean isKept, boolean hasOwners) {
        EdgeBatch batch = new EdgeBatch().setPass(pass);
        for (int i = from; i < Math.min(graph.size(), from + BATCH); i++) {
            batch.addFrom(graph, i);
            if (isKept && from == 0) {
                batch.setPlace(batch.size() - 1, hasOwners ? owners(i) : Place.of((int) (graph.source(i) % 4)));
            }
            if (isKept && i % 7 == 0) {
                batch.add(graph.source(i - i / 2), graph.target(i - i / 2));
                batch.setRemoval(batch.size() - 1);
            }
        }
        return batch;
    }

    private int owners(int i) {
        return Place.of((int) (graph.source(i) % 4), (int) (graph.target(i) % 4));
    }

    private void shrink(Placement assigner, boolean hasOwners) {
        assigner.restrictTo(3);
        EdgeBatch kept = new EdgeBatch();
        for (long vertex = 0; vertex < 40; vertex++) {
            assigner.keptEdges(vertex, kept);
        }
        digest.add(kept);
        for (int i = 0; i < kept.size(); i++) {
            int from = Place.ofSource(kept.place(i));
            digest.add(assigner.move(kept.source(i), kept.target(i), from, i % 3, digest));
        }
    }

    private void state(Placement assigner) {
        assigner.snapshot().forEach(digest::add);
        digest.add(assigner.heldEdges());
        PartitionLoads loads = partitionLoads;
        for (int p = 0; loads != null && p < loads.partitionCount(); p++) {
            digest.add(loads.edges(p), loads.vertices(p));
        }
        vertices().flush();
        TreeMap<Long, byte[]> records = new TreeMap<>();
        store.forEach(records::put);
        records.forEach((vertex, record) -> {
            digest.add(vertex);
            digest.add(record);
        });
    }
}
