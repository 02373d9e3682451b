package io.cutwater.state.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.algorithm.cutwater.CutwaterBulkOptions;
import io.cutwater.state.algorithm.cutwater.CutwaterBulkPartitioner;
import io.cutwater.state.algorithm.cutwater.VertexCaps;
import io.cutwater.state.disk.DiskGraphBuilder;
import io.cutwater.state.disk.DiskGraphParts;
import io.cutwater.state.disk.places.EdgePlaces;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.graph.AdjacencyGraph;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.NetEdges;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.graph.SharedGraph;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.GraphSize;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.parts.GraphPart;
import io.cutwater.state.parts.ThreadExchange;
import io.cutwater.state.scratch.ScratchFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongToIntFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bulk passes in several threads, everything counted again, and beside the same passes over graphs of their own. */
class BulkPartsTest {
    private static final int[] PARTS = {2, 3, 7, 16}; // also more than some graphs have vertices

    @TempDir
    Path folder;

    static Stream<Long> seeds() {
        return LongStream.range(0, 12).boxed();
    }

    private static BulkRequest request(int k, @Nullable DuplicateRule dedupe, int parts) {
        return new BulkRequest(
                BulkRunTest.request(PartitioningKind.EDGE, "cutwater", k, null).options(), dedupe, null, parts);
    }

    private int[] place(BulkRequest request, EdgeBatch edges) throws Exception {
        return BulkRunTest.places(BulkRunTest.place(request, edges, folder.resolve("scratch")));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyRunPlacesEveryEdgeAlikeWithinTheCap(long seed) throws Exception {
        EdgeBatch edges = RandomGraphs.graph(seed);
        int k = 1 + (int) (seed % 9);
        BulkRequest request = request(k, null, PARTS[(int) (seed % PARTS.length)]);
        int[] places = place(request, edges);
        long[] loads = new long[k];
        for (int place : places) {
            loads[Place.ofSource(place)]++;
        }
        assertThat(Arrays.stream(loads).max().orElse(0))
                .isLessThanOrEqualTo(new CutwaterBulkOptions(k, 1.05, 3).maxEdges(edges.size()));
        assertThat(Arrays.stream(loads).sum()).isEqualTo(edges.size());
        assertThat(place(request, edges)).isEqualTo(places);
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyRunGivesEveryVertexTheSameOwner(long seed) throws Exception {
        EdgeBatch edges = RandomGraphs.graph(seed);
        BulkRequest request = ofVertices(1 + (int) (seed % 9), null, PARTS[(int) (seed % PARTS.length)]);
        int[] places = place(request, edges);
        owners(edges, places, request.options().partitionCount());
        assertThat(place(request, edges)).isEqualTo(places);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void ownersOfARealGraphKeepTheCapsAlsoThatOfTrainingVerticesAndCutAsFewEdges() throws Exception {
        EdgeBatch edges = SharedGraph.read("data/amazon-computers/edges.txt.gz");
        long[] trained = SharedGraph.trainingVertices("data/amazon-computers/split.60-20-20.txt.gz");
        TrainingVertices training = new TrainingVertices(trained, 0.1);
        int[] whole = place(ofVertices(8, training, 1), edges);
        int[] places = place(ofVertices(8, training, 4), edges);
        Map<Long, Integer> owners = owners(edges, places, 8);
        VertexCaps caps =
                VertexCaps.of(ofVertices(8, training, 4).options(), new GraphSize(owners.size(), edges.size()));
        long[] vertices = new long[8];
        owners.values().forEach(owner -> vertices[owner]++);
        long[] volumes = new long[8];
        long[] ofTraining = new long[8];
        long among = 0;
        for (int i = 0; i < places.length; i++) {
            volumes[Place.ofSource(places[i])]++;
            volumes[Place.ofTarget(places[i])]++;
        }
        for (long vertex : trained) {
            Integer owner = owners.get(vertex);
            if (owner != null) {
                ofTraining[owner]++;
                among++;
            }
        }
        assertThat(max(vertices)).isLessThanOrEqualTo(caps.vertices());
        assertThat(max(volumes)).isLessThanOrEqualTo(caps.volume());
        assertThat(max(ofTraining)).isLessThanOrEqualTo(training.max(among, 8));
        assertThat(cut(places)).isLessThan((long) (1.1 * cut(whole)));
    }

    private static BulkRequest ofVertices(int k, @Nullable TrainingVertices training, int parts) {
        PartitionerOptions options = BulkRunTest.request(PartitioningKind.VERTEX, "cutwater", k, null)
                .options()
                .withTraining(training);
        return new BulkRequest(options, null, null, parts);
    }

    /** Returns the owner of each vertex, which all its edges name. */
    private static Map<Long, Integer> owners(EdgeBatch edges, int[] places, int k) {
        Map<Long, Integer> owners = new HashMap<>();
        for (int i = 0; i < places.length; i++) {
            int ofSource = Place.ofSource(places[i]);
            assertThat(owners.merge(edges.source(i), ofSource, (one, other) -> one.equals(other) ? one : -1))
                    .isBetween(0, k - 1);
            int ofTarget = Place.ofTarget(places[i]);
            assertThat(owners.merge(edges.target(i), ofTarget, (one, other) -> one.equals(other) ? one : -1))
                    .isBetween(0, k - 1);
        }
        return owners;
    }

    private static long max(long[] counts) {
        return Arrays.stream(counts).max().orElse(0);
    }

    private static long cut(int[] places) {
        return Arrays.stream(places)
                .filter(place -> Place.ofSource(place) != Place.ofTarget(place))
                .count();
    }

    /** Each part as in a vertex table, with vertices numbered by itself and messages that name copies by rank. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void placesAreThoseOfPartsThatShareNoSlots(long seed) throws Exception {
        EdgeBatch edges = RandomGraphs.graph(seed);
        requireAsInTables(edges, 5, PARTS[(int) (seed % PARTS.length)]);
    }

    @Test
    void placesOfARealGraphAreThoseOfPartsThatShareNoSlots() throws Exception {
        requireAsInTables(SharedGraph.read("data/cit-hepph/edges.time.txt.gz"), 32, 3);
    }

    private void requireAsInTables(EdgeBatch edges, int k, int parts) throws Exception {
        LongToIntFunction owner = owner(edges, parts);
        CutwaterBulkOptions options = new CutwaterBulkOptions(k, 1.05, 3);
        List<int[]> ofParts = ThreadExchange.run(parts, exchange -> {
            EdgeBatch own = new EdgeBatch();
            for (int i = 0; i < edges.size(); i++) {
                if (owner.applyAsInt(edges.source(i)) == exchange.part()
                        || owner.applyAsInt(edges.target(i)) == exchange.part()) {
                    own.addFrom(edges, i);
                }
            }
            GraphPart part = new GraphPart(AdjacencyGraph.sorted(own), exchange, owner);
            int[] places = new int[(int) part.ownEdges()];
            Arrays.fill(places, EdgePlaces.NONE);
            CutwaterBulkPartitioner.place(part, options, EdgePlaces.of(places));
            return places;
        });
        int[] expected = new int[edges.size()];
        int[] next = new int[parts];
        for (int i = 0; i < expected.length; i++) {
            int part = owner.applyAsInt(edges.source(i));
            expected[i] = Place.of(ofParts.get(part)[next[part]++]);
        }
        assertThat(place(request(k, null, parts), edges)).isEqualTo(expected);
    }

    @Test
    void partsMoveFootholdsAsAWholeGraphDoes() throws Exception {
        EdgeBatch edges = new EdgeBatch();
        SyntheticGraph.rmat(14, 1).fill(edges, 60_000);
        long ofWhole = replicas(edges, place(request(8, null, 1), edges));
        for (int parts : new int[] {2, 5}) {
            assertThat(replicas(edges, place(request(8, null, parts), edges)))
                    .as("replicas of %d parts; without footholds 1.04 times those of one", parts)
                    .isLessThan((long) (1.03 * ofWhole));
        }
    }

    private static long replicas(EdgeBatch edges, int[] places) {
        Set<Long> replicas = new HashSet<>();
        for (int i = 0; i < places.length; i++) {
            replicas.add(edges.source(i) << 32 | places[i]);
            replicas.add(edges.target(i) << 32 | places[i]);
        }
        return replicas.size();
    }

    private LongToIntFunction owner(EdgeBatch edges, int parts) throws IOException {
        ScratchFolder files = new ScratchFolder(folder.resolve("owners"));
        try (DiskGraphBuilder builder = new DiskGraphBuilder(files, null)) {
            builder.add(edges);
            DiskGraphParts graph = builder.build((pass, share) -> {}, parts);
            short[] partOf = graph.partOf();
            AdjacencyGraph sorted = AdjacencyGraph.sorted(edges);
            return vertex -> partOf[sorted.find(vertex)];
        } finally {
            files.delete();
        }
    }

    @Test
    void placesWhatIsLeftAsIfTheRestHadNeverBeen() throws Exception {
        for (DuplicateRule rule : new DuplicateRule[] {null, DuplicateRule.DIRECTED, DuplicateRule.UNDIRECTED}) {
            for (long seed = 1; seed < 4; seed++) {
                EdgeBatch rows = NetEdges.sequence(seed);
                EdgeBatch left = new NetEdges(rows, rule).of(rows);
                BulkRequest request = request(4, rule, 3);
                assertThat(place(request, rows)).as("%s, seed %d", rule, seed).isEqualTo(place(request, left));
            }
        }
    }

    @Test
    void trainingVerticesAreSpread() throws Exception {
        EdgeBatch edges = RandomGraphs.graph(5);
        long[] trained = LongStream.range(0, edges.size())
                .map(i -> edges.source((int) i))
                .distinct()
                .sorted()
                .limit(40)
                .toArray();
        BulkRequest even = request(4, null, 3);
        PartitionerOptions options = even.options().withTraining(new TrainingVertices(trained, 0.1));
        int[] places = place(new BulkRequest(options, null, null, 3), edges);
        Set<Long> waiting = new HashSet<>();
        Arrays.stream(trained).forEach(waiting::add);
        int[] masters = new int[4];
        for (int i = 0; i < edges.size(); i++) {
            masters[Place.ofSource(places[i])] += waiting.remove(edges.source(i)) ? 1 : 0;
            masters[Place.ofSource(places[i])] += waiting.remove(edges.target(i)) ? 1 : 0;
        }
        assertThat(waiting).isEmpty();
        assertThat(Arrays.stream(masters).max().orElse(0))
                .isLessThanOrEqualTo((int) options.training().max(trained.length, 4));
    }

    @Test
    void aCompleteRunOfOtherPartsIsNotTakenUp() throws Exception {
        try (BulkRun run = BulkRun.create(request(4, null, 2), folder)) {
            run.add(RandomGraphs.graph(3));
            run.place(BulkProgress.NONE);
            run.keep();
        }
        assertThatThrownBy(() -> BulkRun.create(request(4, null, 3), folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds the places of another run")
                .hasMessageContaining("parts=2");
    }

    @Test
    void stopsWhenItsThreadIsInterrupted() throws Exception {
        try (BulkRun run = BulkRun.create(request(4, null, 3), folder)) {
            run.add(RandomGraphs.graph(3));
            BulkProgress interrupts = (pass, share) -> {
                if (pass.startsWith("pass 2")) {
                    Thread.currentThread().interrupt(); // the thread of a part
                }
            };
            assertThatThrownBy(() -> run.place(interrupts)).isInstanceOf(IOException.class);
        }
        try (BulkRun run = BulkRun.create(request(4, null, 3), folder)) {
            run.add(RandomGraphs.graph(3));
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> run.place(BulkProgress.NONE)).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
        }
        assertThat(folder).doesNotExist();
    }

    @Test
    void refusesWhatHasNoParts() {
        PartitionerOptions ldg = PartitionerOptions.ofVertices("ldg", 4, 3, PassMode.BULK, Map.of());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BulkRequest(ldg, null, null, 2))
                .withMessage("--algorithm ldg of kind vertex makes bulk passes in one thread, but --parallelism is 2;"
                        + " omit --parallelism");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> request(4, null, 65))
                .withMessage("--parallelism of bulk passes must be from 1 to 64: 65");
    }
}
