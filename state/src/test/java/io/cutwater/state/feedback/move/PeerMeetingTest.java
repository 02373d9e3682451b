package io.cutwater.state.feedback.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.bulk.BulkProgress;
import io.cutwater.state.bulk.BulkRequest;
import io.cutwater.state.bulk.BulkRun;
import io.cutwater.state.bulk.PlacedInput;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RandomGraphs;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import io.cutwater.state.parts.Exchange;
import io.cutwater.state.parts.ThreadExchange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that come at different times, read nothing of before, and begin anew. */
@Timeout(60)
class PeerMeetingTest {
    private static final int[] FIRST_BUCKETS = {0, 3, 5};
    private static final long JOB = 4711;

    @TempDir
    Path folder;

    /**
     * A topic that keeps the order of each pair of tasks, is late, and repeats itself; who is not there hears nothing.
     */
    private static final class Network {
        private final SplittableRandom random;
        private final List<List<VertexUpdate>> waiting = new ArrayList<>();
        private final @Nullable PeerMeeting[] tasks = new PeerMeeting[FIRST_BUCKETS.length];

        Network(long seed) {
            random = new SplittableRandom(seed);
            for (int pair = 0; pair < FIRST_BUCKETS.length * FIRST_BUCKETS.length; pair++) {
                waiting.add(new ArrayList<>());
            }
        }

        synchronized PeerMeeting begin(int task) {
            PeerMeeting begun = new PeerMeeting(JOB, task, FIRST_BUCKETS, random.nextLong(), this::send);
            tasks[task] = begun;
            return begun;
        }

        private synchronized void send(VertexUpdate message) {
            List<VertexUpdate> channel = waiting.get(message.assigner() * FIRST_BUCKETS.length + to(message));
            channel.add(message);
            if (random.nextInt(5) == 0) {
                channel.add(message);
            }
        }

        private static int to(VertexUpdate message) {
            return Arrays.binarySearch(FIRST_BUCKETS, message.bucket());
        }

        /** Delivers a message to every task, as some read the same topic partition. */
        void deliver() {
            VertexUpdate message;
            List<PeerMeeting> there = new ArrayList<>();
            synchronized (this) {
                List<VertexUpdate> channel = waiting.get(random.nextInt(waiting.size()));
                if (channel.isEmpty()) {
                    return;
                }
                message = channel.remove(0);
                for (PeerMeeting task : tasks) {
                    if (task != null) {
                        there.add(task);
                    }
                }
            }
            there.forEach(task -> task.receive(message));
        }
    }

    /** Work of a task that has met the others. */
    private interface Work<T> {
        T run(Exchange exchange) throws IOException, InterruptedException;
    }

    /** Runs all tasks, each of which begins after some messages; those of a first attempt are given up before. */
    private static <T> List<T> run(long seed, boolean areTwo, Work<T> work) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Network network = new Network(seed);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            if (areTwo) {
                List<Future<T>> given = new ArrayList<>();
                for (int task = 0; task < FIRST_BUCKETS.length; task++) {
                    PeerMeeting meeting = network.begin(task);
                    given.add(threads.submit(() -> work.run(meeting.meet())));
                    deliver(network, random.nextInt(200));
                }
                for (int task = 0; task < FIRST_BUCKETS.length; task++) {
                    network.tasks[task].close();
                    given.get(task).cancel(true);
                }
                deliver(network, random.nextInt(50)); // some of their messages are still there
            }
            List<Future<T>> results = new ArrayList<>();
            for (int task = 0; task < FIRST_BUCKETS.length; task++) {
                PeerMeeting meeting = network.begin(task);
                results.add(threads.submit(() -> work.run(meeting.meet())));
                deliver(network, random.nextInt(200));
            }
            while (!results.stream().allMatch(Future::isDone) && !hasFailed(network)) {
                network.deliver();
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

    private static boolean hasFailed(Network network) {
        for (PeerMeeting task : network.tasks) {
            if (task.failure() != null) {
                throw new IllegalStateException(task.failure());
            }
        }
        return Thread.currentThread().isInterrupted();
    }

    private static void deliver(Network network, int messages) {
        for (int i = 0; i < messages; i++) {
            network.deliver();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void tasksThatBeginAtDifferentTimesWorkTogether(long seed) throws Exception {
        Work<Long> sum = exchange -> {
            long all = 0;
            for (long round = 0; round < 20; round++) {
                long[][] out = new long[exchange.parts()][];
                for (int to = 0; to < out.length; to++) {
                    out[to] = new long[] {round * (exchange.part() + 1) + to};
                }
                for (long[] message : exchange.exchange(out)) {
                    all += message[0];
                }
            }
            return all;
        };
        assertThat(run(seed, seed % 2 == 0, sum)).isEqualTo(ThreadExchange.run(FIRST_BUCKETS.length, sum::run));
    }

    @ParameterizedTest(name = "{0}, seed {1}")
    @CsvSource({"EDGE, 5", "EDGE, 6", "VERTEX, 7", "VERTEX, 8"})
    void placesOfTasksAreThoseOfThreads(PartitioningKind kind, long seed) throws Exception {
        EdgeBatch graph = RandomGraphs.graph(seed);
        BulkRequest request = new BulkRequest(
                new PartitionerOptions(kind, "cutwater", 4, 3, PassMode.BULK, Map.of()),
                null,
                null,
                FIRST_BUCKETS.length);
        List<List<Integer>> ofThreads =
                ThreadExchange.run(FIRST_BUCKETS.length, exchange -> place(request, graph, exchange, "threads"));
        assertThat(run(seed, seed % 2 == 0, exchange -> place(request, graph, exchange, "tasks")))
                .isEqualTo(ofThreads);
        assertThat(ofThreads.stream().mapToInt(List::size).sum()).isEqualTo(graph.size());
    }

    private List<Integer> place(BulkRequest request, EdgeBatch graph, Exchange exchange, String name)
            throws IOException, InterruptedException {
        int part = exchange.part();
        EdgeBatch piece = new EdgeBatch();
        for (int i = 0; i < graph.size(); i++) {
            if (i * exchange.parts() / graph.size() == part) {
                piece.addFrom(graph, i);
            }
        }
        try (BulkRun run = BulkRun.create(request, folder.resolve(name + part), exchange)) {
            run.add(piece);
            run.place(BulkProgress.NONE);
            try (PlacedInput places = run.places(0)) {
                places.fill(piece);
            }
        }
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < piece.size(); i++) {
            places.add(piece.place(i));
        }
        return places;
    }

    @Test
    void aTaskThatBeginsAnewEndsTheWorkOfTheOthers() throws Exception {
        Network network = new Network(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<PeerExchange>> met = new ArrayList<>();
            for (int task = 0; task < FIRST_BUCKETS.length; task++) {
                PeerMeeting meeting = network.begin(task);
                met.add(threads.submit(meeting::meet));
            }
            while (!met.stream().allMatch(Future::isDone)) {
                network.deliver();
            }
            PeerMeeting first = network.tasks[0];
            Future<long[][]> waiting = threads.submit(() -> met.get(0).get().exchange(new long[3][0]));
            PeerMeeting again = network.begin(2);
            Future<PeerExchange> alone = threads.submit(again::meet);
            while (!waiting.isDone()) {
                network.deliver();
            }
            assertThatThrownBy(waiting::get).hasMessageContaining("the plan was given up");
            assertThat(first.failure()).hasMessage("task 2 of the bootstrap has begun anew");
            again.close();
            assertThatThrownBy(alone::get).hasMessageContaining("the bootstrap was given up");
        } finally {
            threads.shutdownNow();
        }
    }
}
