package io.cutwater.state.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.algorithm.TextbookMultigraph;
import io.cutwater.state.algorithm.TextbookMultigraph.Copy;
import io.cutwater.state.algorithm.TextbookMultigraph.Edge;
import io.cutwater.state.edges.KeptEdges;
import io.cutwater.state.edges.StoredEdges;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.rule.OwnerLoads;
import io.cutwater.state.store.MapAdjacencyStore;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A job of a vertex partitioning at random, with what a recount finds after each batch. */
final class VertexRemovalRun {
    /** Cutwater with a buffer whose vertices get their owners together; a name of these tests only. */
    static final String JOINT = "cutwater, joint";

    /** Cutwater that moves vertices to better owners; a name of these tests only. */
    static final String REFINED = "cutwater, refined";

    /** Both, so that plans of the buffer move vertices; a name of these tests only. */
    static final String JOINT_REFINED = "cutwater, joint and refined";

    private final String algorithm;
    final SplittableRandom random;
    final TextbookMultigraph textbook = new TextbookMultigraph();
    final MapVertexStore store = new MapVertexStore();
    final MapAdjacencyStore adjacency = new MapAdjacencyStore();
    final Map<Long, List<Integer>> book = new HashMap<>();
    private final long maxBytes;
    int k;
    private int open;
    private VertexTable vertices;
    PartitionLoads loads;
    Placement assigner;
    private long unknownRemovals;

    VertexRemovalRun(String algorithm, long seed, boolean hasSmallCache) {
        this.algorithm = algorithm;
        random = new SplittableRandom(seed);
        maxBytes = hasSmallCache ? 1 : Long.MAX_VALUE;
        k = random.nextInt(1, 70);
        loads = new PartitionLoads(k);
        begin(0);
    }

    private void begin(long vertexCount) {
        Map<String, String> settings = switch (algorithm) {
            case "hash" -> Map.of();
            case JOINT, JOINT_REFINED -> Map.of("buffer", "20");
            default -> Map.of("window", "20");
        };
        String name = algorithm.replaceFirst(",.*", "");
        PartitionerOptions options = PartitionerOptions.ofVertices(name, k, 7, PassMode.LIVE, settings);
        vertices = new VertexTable(
                Algorithms.get(PartitioningKind.VERTEX, options.algorithm())
                        .layout(options)
                        .withCounts(),
                store,
                maxBytes,
                vertexCount,
                this::tell);
        KeptEdges kept = StoredEdges.ofVertices(adjacency, 64);
        assigner = new Placement(Algorithms.vertexRule(options), vertices, loads, kept);
        if (algorithm.equals(REFINED)) {
            assigner.refine(0.5, 20);
        } else if (algorithm.equals(JOINT_REFINED)) {
            assigner.refine(1, 200);
        }
        open = k;
    }

    private void tell(VertexTable table, int slot, boolean isMoved) {
        VertexBatch row = new VertexBatch();
        table.appendTo(row, slot);
        List<Integer> places = new ArrayList<>();
        places.add(row.master(0));
        for (int i = 0; i < row.replicaCount(0); i++) {
            places.add(row.replicas()[i]);
        }
        if (row.replicaCount(0) == 0) {
            book.remove(row.vertex(0));
        } else {
            book.put(row.vertex(0), places);
        }
    }

    void accept(EdgeBatch batch) {
        Map<Long, Integer> before = owners();
        boolean adds = !batch.hasRemovals();
        textbook.stream(batch);
        assigner.accept(batch, textbook);
        if (adds && !batch.hasPlaces()) {
            owners().forEach((vertex, owner) -> {
                int asBefore = before.getOrDefault(vertex, VertexTable.NO_MASTER);
                assertThat(owner).matches(o -> o == asBefore || o < open);
            });
        }
    }

    /** Returns the owners by the shards; the owner of a vertex whose edges are all buffered comes from the table. */
    private Map<Long, Integer> owners() {
        Map<Long, Integer> owners = new TreeMap<>();
        for (Copy copy : textbook.placedCopies().keySet()) {
            own(owners, copy.edge().source(), Place.ofSource(copy.owners()));
            own(owners, copy.edge().target(), Place.ofTarget(copy.owners()));
        }
        EdgeBatch held = assigner.heldEdges();
        for (int i = 0; i < held.size(); i++) {
            for (long vertex : new long[] {held.source(i), held.target(i)}) {
                int owner = vertices.master(vertices.slot(vertex));
                if (owner != VertexTable.NO_MASTER) {
                    own(owners, vertex, owner);
                }
            }
        }
        return owners;
    }

    private static void own(Map<Long, Integer> owners, long vertex, int owner) {
        Integer other = owners.put(vertex, owner);
        assertThat(other == null ? owner : other).as("owner of %d", vertex).isEqualTo(owner);
    }

    void moveSome() {
        Map<Long, Integer> owners = owners();
        for (long vertex : textbook.vertices()) {
            if (owners.containsKey(vertex) && random.nextInt(10) == 0) {
                move(vertex, owners.get(vertex), random.nextInt(k));
            }
        }
        assertThat(assigner.move(-999, 0, 0, k - 1, textbook)).isZero();
    }

    private void move(long vertex, int from, int to) {
        long edges = textbook.placedCopies().entrySet().stream()
                .filter(copy -> copy.getKey().edge().source() == vertex
                        || copy.getKey().edge().target() == vertex)
                .mapToLong(Map.Entry::getValue)
                .sum();
        assertThat(assigner.move(vertex, 0, from, to, textbook)).isEqualTo(from == to ? 0 : edges);
        assertThat(vertices.master(vertices.slot(vertex))).isEqualTo(to);
    }

    void restrict() {
        open = random.nextInt(1, k + 1);
        assigner.restrictTo(open);
    }

    void restart(int partitions) {
        if (partitions < k) {
            assigner.restrictTo(partitions);
            owners().forEach((vertex, owner) -> {
                if (owner >= partitions) {
                    move(vertex, owner, random.nextInt(partitions));
                }
            });
        }
        List<byte[]> snapshot = assigner.snapshot();
        EdgeBatch held = assigner.heldEdges();
        vertices.flush();
        unknownRemovals += assigner.unknownRemovals();
        loads = loads.resized(partitions);
        k = partitions;
        begin(vertices.vertexCount());
        assigner.restore(snapshot, held);
    }

    void check() {
        EdgeBatch held = assigner.heldEdges();
        textbook.assertHolds(held);
        assertThat(unknownRemovals + assigner.unknownRemovals()).isEqualTo(textbook.unknownRemovals());
        Map<Long, Integer> owners = owners();
        Map<Long, Map<Integer, Long>> counts = new HashMap<>();
        Map<Copy, Integer> placed = textbook.placedCopies();
        placed.forEach((copy, count) -> {
            count(counts, copy.edge().source(), Place.ofTarget(copy.owners()), count);
            count(counts, copy.edge().target(), Place.ofSource(copy.owners()), count);
        });
        checkLoads(owners, counts, placed);
        vertices.flush();
        // One that went and waits again is known by its edges alone.
        assertThat(vertices.vertexCount()).isEqualTo(store.size()).isBetween((long) owners.size(), (long)
                textbook.vertices().size());
        Map<Long, List<Integer>> expectedBook = new HashMap<>();
        for (long vertex : textbook.vertices()) {
            Map<Integer, Long> at = counts.getOrDefault(vertex, Map.of());
            Set<Integer> replicas = new TreeSet<>(at.keySet());
            int owner = owners.getOrDefault(vertex, VertexTable.NO_MASTER);
            if (owner != VertexTable.NO_MASTER) {
                replicas.add(owner);
                List<Integer> row = new ArrayList<>(List.of(owner));
                row.addAll(replicas);
                expectedBook.put(vertex, row);
            }
            int slot = vertices.slot(vertex);
            assertThat(vertices.master(slot)).isEqualTo(owner);
            assertThat(vertices.degree(slot))
                    .isEqualTo(at.values().stream().mapToLong(n -> n).sum());
            assertThat(vertices.replicaCount(slot)).isEqualTo(replicas.size());
            at.forEach((p, count) -> {
                assertThat(vertices.edgesAt(slot, p)).isEqualTo(count);
                assertThat(vertices.hasReplica(slot, p)).isEqualTo(p < open);
            });
            checkKept(vertex, placed);
        }
        assertThat(book).isEqualTo(expectedBook);
    }

    private static void count(Map<Long, Map<Integer, Long>> counts, long vertex, int owner, long edges) {
        counts.computeIfAbsent(vertex, v -> new HashMap<>()).merge(owner, edges, Long::sum);
    }

    private void checkLoads(
            Map<Long, Integer> owners, Map<Long, Map<Integer, Long>> counts, Map<Copy, Integer> placed) {
        long[] edges = new long[k];
        textbook.entries().forEach(entry -> edges[entry.getKey()]++);
        assertThat(loads.edges()).isEqualTo(edges);
        long[] owned = new long[k];
        long[] shown = new long[k];
        long[] volumes = new long[k];
        long[] copies = new long[k];
        owners.forEach((vertex, owner) -> {
            Map<Integer, Long> at = counts.getOrDefault(vertex, Map.of());
            owned[owner]++;
            shown[owner] += at.isEmpty() ? 0 : 1;
            volumes[owner] += at.values().stream().mapToLong(n -> n).sum();
            Set<Integer> everywhere = new TreeSet<>(at.keySet());
            everywhere.add(owner);
            everywhere.forEach(p -> copies[p]++);
        });
        assertThat(loads.vertices()).isEqualTo(copies);
        assertThat(loads.totalVertices()).isEqualTo(owners.size());
        OwnerLoads ownerLoads = assigner.ownerLoads();
        Quality quality = assigner.quality(0);
        int least = 0;
        for (int p = 0; p < k; p++) {
            least = p < open && owned[p] < owned[least] ? p : least;
            assertThat(ownerLoads.owned(p)).isEqualTo(owned[p]);
            assertThat(quality.perPartition().get(p).vertices()).isEqualTo(shown[p]);
            assertThat(ownerLoads.volume(p)).isEqualTo(volumes[p]);
        }
        assertThat(ownerLoads.leastOwned()).isEqualTo(least);
        assertThat(ownerLoads.totalOwned())
                .isEqualTo(Stream.iterate(0, p -> p + 1)
                        .limit(open)
                        .mapToLong(p -> owned[p])
                        .sum());
        assertThat(ownerLoads.totalComingVolume())
                .isEqualTo(Stream.iterate(0, p -> p + 1)
                        .limit(open)
                        .mapToLong(ownerLoads::comingVolume)
                        .sum());
        assertThat(ownerLoads.edges())
                .isEqualTo(placed.values().stream().mapToLong(n -> n).sum());
    }

    private void checkKept(long vertex, Map<Copy, Integer> placed) {
        EdgeBatch kept = new EdgeBatch();
        assigner.keptEdges(vertex, kept);
        Map<Copy, Integer> found = new HashMap<>();
        for (int i = 0; i < kept.size(); i++) {
            Edge edge = new Edge(kept.source(i), kept.target(i));
            found.merge(new Copy(edge, kept.weight(i), kept.timestamp(i), kept.key(i), kept.place(i)), 1, Integer::sum);
        }
        Map<Copy, Integer> expected = new HashMap<>(placed);
        expected.keySet().removeIf(copy -> copy.edge().source() != vertex);
        assertThat(found).isEqualTo(expected);
    }
}
