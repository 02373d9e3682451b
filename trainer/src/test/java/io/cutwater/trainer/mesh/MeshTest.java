package io.cutwater.trainer.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.reduce.AllReduce;
import io.cutwater.trainer.shard.ShardCut;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class MeshTest {
    private static final int LENGTH = 10_000;
    private static final int STEPS = 3;
    /** Shards 0 to 4 of three workers. */
    private static final List<String> WORKERS = List.of("a", "b", "a", "c", "b");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Mesh> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(Mesh::close);
        threads.shutdownNow();
    }

    private Mesh mesh(String name) throws IOException {
        Mesh mesh = new Mesh(name, MeshOptions.of("127.0.0.1:0", false, Duration.ofSeconds(2), Map.of()), 4 * LENGTH);
        open.add(mesh);
        return mesh;
    }

    private static Membership members(int attempt, ShardCut cut, List<String> workers, Mesh... meshes) {
        Map<String, PeerAddress> addresses = new HashMap<>();
        for (Mesh mesh : meshes) {
            addresses.put(mesh.name(), mesh.address());
        }
        return new Membership(new GroupKey(1, 1, attempt), cut, workers, addresses, 1);
    }

    @Test
    void workersGetTheBitsOfOneProcess() throws Exception {
        List<float[][]> expected = results(trainAll(FrameGroup.ofThisProcess(5), List.of(0, 1, 2, 3, 4)));
        Mesh a = mesh("a");
        Mesh b = mesh("b");
        Mesh c = mesh("c");
        for (int attempt = 1; attempt <= 2; attempt++) { // the second one uses the connections again
            Membership members = members(attempt, ShardCut.only(5), WORKERS, a, b, c);
            List<Future<float[][]>> running = new ArrayList<>();
            running.addAll(trainAll(a.join(members), List.of(0, 2)));
            running.addAll(trainAll(b.join(members), List.of(1, 4)));
            running.addAll(trainAll(c.join(members), List.of(3))); // parts of others have arrived
            List<float[][]> results = results(running);
            int[] shards = {0, 2, 1, 4, 3};
            for (int i = 0; i < shards.length; i++) {
                assertThat(results.get(i)).as("shard %d", shards[i]).isDeepEqualTo(expected.get(shards[i]));
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void lostConnectionsChangeNothing(long seed) throws Exception {
        List<float[][]> expected = results(trainAll(FrameGroup.ofThisProcess(3), List.of(0, 1, 2)));
        List<String> workers = List.of("a", "b", "c");
        List<Mesh> meshes = List.of(mesh("a"), mesh("b"), mesh("c"));
        Map<String, PeerAddress> addresses = new HashMap<>();
        int lost = 0;
        try (CuttingProxy a = new CuttingProxy(meshes.get(0).address(), seed, 20_000, 60_000, seed % 2 == 0);
                CuttingProxy b = new CuttingProxy(meshes.get(1).address(), -seed, 20_000, 60_000, false)) {
            addresses.put("a", a.address());
            addresses.put("b", b.address());
            addresses.put("c", meshes.get(2).address());
            for (int attempt = 1; attempt <= 3; attempt++) {
                Membership members =
                        new Membership(new GroupKey(1, 1, attempt), ShardCut.only(3), workers, addresses, 1);
                List<Future<float[][]>> running = new ArrayList<>();
                for (int shard = 0; shard < 3; shard++) {
                    running.addAll(trainAll(meshes.get(shard).join(members), List.of(shard)));
                }
                List<float[][]> results = results(running);
                for (int shard = 0; shard < 3; shard++) {
                    assertThat(results.get(shard)).isDeepEqualTo(expected.get(shard));
                }
            }
            lost = a.lost() + b.lost();
        }
        assertThat(lost).isGreaterThan(5);
    }

    private List<Future<float[][]>> trainAll(FrameGroup group, List<Integer> shards) {
        List<Future<float[][]>> running = new ArrayList<>();
        for (int shard : shards) {
            running.add(threads.submit(train(new AllReduce(group.channel(shard)), shard)));
        }
        return running;
    }

    private static Callable<float[][]> train(AllReduce reduce, int shard) {
        return () -> {
            SplittableRandom random = new SplittableRandom(shard);
            float[][] means = new float[STEPS][LENGTH];
            for (int step = 0; step < STEPS; step++) {
                for (int i = 0; i < LENGTH; i++) {
                    means[step][i] = (float) random.nextGaussian();
                }
                reduce.mean(means[step], shard * 10L + step, step + 1 < STEPS);
            }
            return means;
        };
    }

    private static List<float[][]> results(List<Future<float[][]>> running) throws Exception {
        List<float[][]> results = new ArrayList<>();
        for (Future<float[][]> each : running) {
            results.add(each.get());
        }
        return results;
    }

    @Test
    void anotherCutIsRefused() throws Exception {
        Mesh a = mesh("a");
        Mesh b = mesh("b");
        List<String> workers = List.of("a", "b");
        b.join(members(1, new ShardCut(2, List.of(5L), List.of()), workers, a, b));
        FrameGroup group = a.join(members(1, new ShardCut(2, List.of(4L), List.of()), workers, a, b));
        fails(group, 0, "worker b is at another cut; try again");
    }

    @Test
    void questionsAreAnsweredByBusyShards() throws Exception {
        Mesh a = mesh("a");
        Mesh b = mesh("b");
        Membership members = members(1, ShardCut.only(3), List.of("a", "b", "b"), a, b);
        FrameGroup asking = a.join(members);
        List<FrameChannel.Answer> answers = new ArrayList<>();
        for (int question = 0; question < 40; question++) { // more than messages may wait, and before b has begun
            answers.add(asking.channel(0)
                    .ask(
                            1 + question % 2,
                            ByteBuffer.allocate(4).putInt(question).flip()));
        }
        FrameGroup asked = b.join(members);
        for (int shard = 1; shard < 3; shard++) {
            int rank = shard;
            asked.channel(shard).answerWith(question -> {
                int number = question.getInt();
                if (number == 99) {
                    throw new IllegalArgumentException("nobody knows");
                }
                return ByteBuffer.allocate(8).putInt(rank).putInt(number).flip();
            });
        }
        for (int question = 0; question < 40; question++) {
            ByteBuffer answer = answers.get(question).get();
            assertThat(answer.getInt()).isEqualTo(1 + question % 2);
            assertThat(answer.getInt()).isEqualTo(question);
        }
        ByteBuffer ofSameProcess =
                asked.channel(1).ask(2, ByteBuffer.allocate(4).putInt(7).flip()).get();
        assertThat(ofSameProcess.getLong()).isEqualTo(2L << 32 | 7);
        FrameChannel.Answer none =
                asking.channel(0).ask(1, ByteBuffer.allocate(4).putInt(99).flip());
        assertThatThrownBy(none::get).hasMessage("worker b cannot answer for shard 1: nobody knows");
    }

    @Test
    void anAnswerOfAWorkerThatIsGoneIsNotAwaited() throws Exception {
        Mesh a = mesh("a");
        Mesh b = mesh("b");
        Membership members = members(1, ShardCut.only(2), List.of("a", "b"), a, b);
        b.join(members); // shard 1 never answers
        FrameChannel.Answer answer = a.join(members).channel(0).ask(1, ByteBuffer.allocate(4));
        Future<ByteBuffer> waiting = threads.submit(answer::get);
        b.close();
        assertThatThrownBy(waiting::get).hasMessageContaining("worker b at 127.0.0.1:");
    }

    @Test
    void aPartOfAnotherWorkersShardIsRefused() throws Exception {
        Mesh a = mesh("a");
        Mesh b = mesh("b");
        b.join(members(1, ShardCut.only(3), List.of("a", "b", "b"), a, b));
        FrameGroup group = a.join(members(1, ShardCut.only(3), List.of("b", "a", "b"), a, b));
        fails(group, 1, "worker b does not expect a frame of shard 1 for shard 0 from a");
    }

    @Test
    void aWorkerThatClosesIsNamed() throws Exception {
        Mesh a = mesh("a");
        Mesh b = mesh("b");
        Membership members = members(1, ShardCut.only(2), List.of("a", "b"), a, b);
        b.join(members);
        FrameGroup group = a.join(members);
        Future<?> waiting = threads.submit(train(new AllReduce(group.channel(0)), 0));
        b.close();
        assertThatThrownBy(waiting::get).hasMessageContaining("worker b at 127.0.0.1:");
        assertThatThrownBy(waiting::get).hasMessageNotContaining(b.address().token());
    }

    @Test
    void aWorkerThatSaysNothingIsNamed() throws Exception {
        Mesh a = mesh("a");
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            fails(joined(a, "b", silent.getLocalPort(), "0"), 0, "was silent for 2 s");
        }
    }

    @Test
    void aWorkerThatCannotBeReachedIsNamed() throws Exception {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        fails(joined(mesh("a"), "b", port, "0"), 0, "worker b at 127.0.0.1:" + port + " cannot be reached");
    }

    @Test
    void aWrongNameOrTokenIsRefused() throws Exception {
        Mesh b = mesh("b");
        int port = b.address().port();
        String token = b.address().token();
        fails(joined(mesh("a1"), "c", port, token), 0, "another worker listens at this address now");
        fails(
                joined(mesh("a2"), "b", port, token.replaceFirst("^.", "x")),
                0,
                "another worker listens at this address");
    }

    private static FrameGroup joined(Mesh mesh, String peer, int port, String token) {
        return mesh.join(new Membership(
                new GroupKey(1, 1, 1),
                ShardCut.only(2),
                List.of(mesh.name(), peer),
                Map.of(mesh.name(), mesh.address(), peer, new PeerAddress("127.0.0.1", port, token)),
                1));
    }

    private static void fails(FrameGroup group, int rank, String sentence) {
        assertThatThrownBy(() -> new AllReduce(group.channel(rank)).mean(new float[LENGTH], 1, false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            MeshOptions options = new MeshOptions(
                    new InetSocketAddress("127.0.0.1", taken.getLocalPort()), Duration.ofSeconds(2), Map.of());
            assertThatThrownBy(() -> new Mesh("a", options, LENGTH))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("cannot listen on --mesh-address 127.0.0.1:" + taken.getLocalPort());
        }
    }

    @Test
    void anAddressOfANetworkNeedsTls() {
        Duration timeout = Duration.ofSeconds(2);
        for (String wrong : Arrays.asList("", "127.0.0.1", ":1", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:-1")) {
            assertThatThrownBy(() -> MeshOptions.of(wrong, true, timeout, Map.of()))
                    .as(wrong)
                    .hasMessageStartingWith("--mesh-address must be HOST:PORT");
        }
        assertThatThrownBy(() -> MeshOptions.of("0.0.0.0:0", true, timeout, Map.of()))
                .hasMessageContaining("name one interface");
        assertThatThrownBy(() -> MeshOptions.of("192.0.2.1:7000", false, timeout, Map.of()))
                .hasMessageContaining("open to the network without TLS");
        assertThat(MeshOptions.of("192.0.2.1:7000", true, timeout, Map.of()).usesTls())
                .isFalse();
        MeshOptions secured =
                MeshOptions.of("192.0.2.1:7000", false, timeout, Map.of("ssl.keystore.location", "secret.p12"));
        assertThat(secured.usesTls()).isTrue();
        assertThat(secured.toString()).doesNotContain("secret.p12");
    }
}
