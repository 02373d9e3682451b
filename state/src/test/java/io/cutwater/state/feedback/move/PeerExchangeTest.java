package io.cutwater.state.feedback.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.parts.Exchange;
import io.cutwater.state.parts.ThreadExchange;
import io.cutwater.state.repartition.Moves;
import io.cutwater.state.repartition.RepartitionRequest;
import io.cutwater.state.repartition.RepartitionRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages between tables that come late, out of order, twice, to every table, and from other plans. */
@Timeout(60)
class PeerExchangeTest {
    private static final int[] FIRST_BUCKETS = {0, 3, 5, 9};
    private static final int ROUNDS = 40;
    private static final long PLAN = 77;

    @TempDir
    Path folder;

    /** A network that delivers what was sent in any order. */
    private static final class Network {
        private final SplittableRandom random;
        private final List<VertexUpdate> waiting = new ArrayList<>();
        private final List<PeerExchange> tables = new ArrayList<>();

        Network(long seed) {
            random = new SplittableRandom(seed);
            for (int table = 0; table < FIRST_BUCKETS.length; table++) {
                tables.add(new PeerExchange(PLAN, table, FIRST_BUCKETS, this::send));
            }
        }

        private synchronized void send(VertexUpdate message) {
            waiting.add(message);
            if (random.nextInt(5) == 0) {
                waiting.add(message);
            }
            if (random.nextInt(5) == 0) {
                waiting.add(VertexUpdate.peer(
                        PLAN + 1, message.assigner(), message.lineage(), 0, 1, message.bucket(), new long[] {-1}));
            }
        }

        /** Delivers one message; returns whether there was one. */
        boolean deliver() {
            VertexUpdate message;
            synchronized (this) {
                if (waiting.isEmpty()) {
                    return false;
                }
                message = waiting.remove(random.nextInt(waiting.size()));
            }
            tables.forEach(table -> table.receive(message)); // some read the same topic partition
            return true;
        }
    }

    /** Every table's messages of a round: long and short ones, and empty ones. */
    private static long[] message(int from, int to, int round) {
        SplittableRandom random = new SplittableRandom(31L * (31L * from + to) + round);
        int length = round % 9 == 0 ? random.nextInt(100_000) : random.nextInt(4);
        return random.longs(length).toArray();
    }

    private static long hash(Exchange exchange) throws IOException {
        long hash = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long[][] out = new long[exchange.parts()][];
            for (int to = 0; to < out.length; to++) {
                out[to] = message(exchange.part(), to, round);
            }
            long[][] in = exchange.exchange(out);
            for (int from = 0; from < in.length; from++) {
                assertThat(in[from]).isEqualTo(message(from, exchange.part(), round));
            }
            hash = 31 * hash + Arrays.deepHashCode(in);
        }
        return hash;
    }

    /** Runs the work of all tables over the network; returns its results. */
    private static <T> List<T> run(Network network, ThreadExchange.Work<T> work) throws Exception {
        var threads = Executors.newFixedThreadPool(FIRST_BUCKETS.length);
        try {
            List<Future<T>> results = new ArrayList<>();
            for (PeerExchange table : network.tables) {
                results.add(threads.submit(() -> work.run(table)));
            }
            while (!results.stream().allMatch(Future::isDone)) {
                if (!network.deliver()) {
                    Thread.onSpinWait();
                }
            }
            List<T> values = new ArrayList<>();
            for (Future<T> result : results) {
                values.add(result.get());
            }
            return values;
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void eachTableGetsTheMessagesOfEachRoundAsThreadsDo(long seed) throws Exception {
        assertThat(run(new Network(seed), PeerExchangeTest::hash))
                .isEqualTo(ThreadExchange.run(FIRST_BUCKETS.length, PeerExchangeTest::hash));
    }

    @ParameterizedTest(name = "{0}, {1} partitions, seed {2}")
    @CsvSource({"EDGE, 5, 5", "EDGE, 7, 6", "EDGE, 5, 7", "VERTEX, 5, 5", "VERTEX, 3, 6", "VERTEX, 5, 7"})
    void aPlanOverTheNetworkIsThatOfThreads(PartitioningKind kind, int partitions, long seed) throws Exception {
        EdgeBatch graph = RandomGraphs.graph(seed);
        for (int i = 0; i < graph.size(); i++) {
            graph.setPlace(i, Place.of((int) (i * seed % 5)));
        }
        RepartitionRequest request = new RepartitionRequest(
                new PartitionerOptions(kind, "cutwater", partitions, 7, PassMode.LIVE, Map.of()), 5, 0.5);
        List<String> ofThreads =
                ThreadExchange.run(FIRST_BUCKETS.length, exchange -> plan(request, graph, exchange, "threads"));
        assertThat(run(new Network(seed), exchange -> plan(request, graph, exchange, "network")))
                .isEqualTo(ofThreads);
        assertThat(String.join("", ofThreads)).contains(" to ");
    }

    /** Returns the plan of a table, and its moves. */
    private String plan(RepartitionRequest request, EdgeBatch graph, Exchange exchange, String name)
            throws IOException, InterruptedException {
        LongToIntFunction owner = vertex -> Hashing.bucket(vertex, FIRST_BUCKETS.length);
        EdgeBatch own = new EdgeBatch();
        for (int i = 0; i < graph.size(); i++) {
            if (owner.applyAsInt(graph.source(i)) == exchange.part()) {
                own.addFrom(graph, i);
            }
        }
        try (RepartitionRun run =
                RepartitionRun.create(request, folder.resolve(name + exchange.part()), exchange, owner)) {
            run.add(own);
            for (int i = 0; i < own.size() && request.options().kind().hasOwners(); i++) {
                run.own(own.source(i), (int) (own.source(i) & 3));
            }
            StringBuilder plan = new StringBuilder(run.plan(BulkProgress.NONE).toString());
            try (Moves moves = run.moves()) {
                while (moves.next()) {
                    plan.append("\n%d %d from %d to %d"
                            .formatted(moves.source(), moves.target(), moves.from(), moves.to()));
                }
            }
            return plan.toString();
        }
    }

    @Test
    void aTableThatHearsNothingGivesUp() {
        PeerExchange table = new PeerExchange(PLAN, 0, FIRST_BUCKETS, message -> {}, 1);
        assertThatThrownBy(() -> hash(table))
                .isInstanceOf(IOException.class)
                .hasMessage("vertex table 1 has not sent its message of round 1 to vertex table 0 in 0 s; plan again");
    }

    @Test
    void aPlanThatIsGivenUpWakesWhoWaits() throws Exception {
        Network network = new Network(1);
        var threads = Executors.newSingleThreadExecutor();
        try {
            Future<Long> waiting = threads.submit(() -> hash(network.tables.get(0)));
            network.tables.get(0).close();
            assertThatThrownBy(waiting::get).hasMessageContaining("the plan was given up");
        } finally {
            threads.shutdownNow();
        }
    }
}
