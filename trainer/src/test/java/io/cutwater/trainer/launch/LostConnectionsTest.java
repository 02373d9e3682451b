package io.cutwater.trainer.launch;

import static io.cutwater.format.VertexSplit.VAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.mesh.CuttingProxy;
import io.cutwater.trainer.mesh.GroupKey;
import io.cutwater.trainer.mesh.Membership;
import io.cutwater.trainer.mesh.Mesh;
import io.cutwater.trainer.mesh.MeshOptions;
import io.cutwater.trainer.mesh.PeerAddress;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections between workers are lost in the middle of steps, and the round goes on. */
@Timeout(120)
class LostConnectionsTest {
    private static final int SHARDS = 3;
    private static final List<String> WORKERS = List.of("a", "b", "c");

    @TempDir
    private Path temp;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private interface Groups {
        FrameGroup of(int shard);
    }

    /** Trains a round and tests the model; returns losses, counts and weights of the shards. */
    private List<Object> train(SharedMode mode, Groups groups) throws Exception {
        GrowingGraph graph = mode.embeddings() == 0
                ? new GrowingGraph(Files.createTempDirectory(temp, "graph"), SHARDS)
                : GrowingGraph.withoutFeatures(Files.createTempDirectory(temp, "graph"), SHARDS);
        DataShape shape = mode.embeddings() == 0
                ? graph.shape()
                : new DataShape(mode.embeddings(), graph.shape().classes());
        ShardTrainers trainers = mode.trainers(graph, shape, Files.createTempDirectory(temp, "scratch"));
        ModelState model = ModelState.initial(mode.network(shape).initialWeights(1));
        ModelState initial = mode.embeddings() == 0 ? model : model.with(EmbeddingRows.none(1, mode.embeddings()));
        ShardCut cut = graph.cut(0);
        Round round = mode instanceof SharedMode.FullGraph
                ? Round.ofEpochs(1, cut, 0, 6, true)
                : Round.ofSharedSteps(1, cut, 0);
        List<Future<List<Object>>> running = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(SHARDS); // others read the files of a shard until they have tested
        for (int each = 0; each < SHARDS; each++) {
            int shard = each;
            running.add(threads.submit(() -> {
                FrameChannel others = groups.of(shard).channel(shard);
                try (ShardTrainer trainer = trainers.open(shard, cut)) {
                    LocalUpdate update = trainer.train(round, initial, others);
                    AccuracyCounts counts = trainer.evaluate(round, update.state(), others);
                    done.countDown();
                    done.await();
                    return List.of(update.report().lossSum(), update.state().weights(), counts.accuracy(VAL));
                } catch (Exception e) {
                    while (done.getCount() > 0) {
                        done.countDown();
                    }
                    groups.of(shard).fail("shard %d failed: %s".formatted(shard, e.getMessage()));
                    throw e;
                }
            }));
        }
        List<Object> results = new ArrayList<>();
        for (Future<List<Object>> each : running) {
            results.addAll(each.get());
        }
        return results;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void aRoundGoesOnWithTheSameBits(long seed) throws Exception {
        SharedMode mode = seed % 2 == 0 ? new SharedMode.Sync(6) : SharedMode.fullGraph(new SplittableRandom(seed));
        int bytes = seed % 2 == 0 ? 3_000 : 5_000; // more than the largest frame
        FrameGroup alone = FrameGroup.ofThisProcess(SHARDS);
        List<Object> expected = train(mode, shard -> alone);
        Map<String, PeerAddress> addresses = new HashMap<>();
        List<Mesh> meshes = new ArrayList<>();
        List<CuttingProxy> proxies = new ArrayList<>();
        try {
            for (String worker : WORKERS) {
                MeshOptions options = MeshOptions.of("127.0.0.1:0", false, Duration.ofSeconds(5), Map.of());
                Mesh mesh = new Mesh(worker, options, Integer.MAX_VALUE);
                meshes.add(mesh);
                CuttingProxy proxy = new CuttingProxy(mesh.address(), seed, bytes, 2 * bytes, false);
                proxies.add(proxy);
                addresses.put(worker, proxy.address());
            }
            Membership members = new Membership(new GroupKey(1, 1, 1), ShardCut.only(SHARDS), WORKERS, addresses, 1);
            List<FrameGroup> groups =
                    meshes.stream().map(mesh -> mesh.join(members)).toList();
            List<Object> results = train(mode, groups::get);
            for (int i = 0; i < expected.size(); i++) {
                assertThat(List.of(results.get(i))).usingRecursiveComparison().isEqualTo(List.of(expected.get(i)));
            }
            assertThat(proxies.stream().mapToInt(CuttingProxy::lost).sum()).isGreaterThan(3);
        } finally {
            for (CuttingProxy proxy : proxies) {
                proxy.close();
            }
            meshes.forEach(Mesh::close);
        }
    }
}
