package io.cutwater.trainer.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.averaging.AveragedTraining;
import io.cutwater.trainer.averaging.AveragingOptions;
import io.cutwater.trainer.averaging.RefreshPolicy;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.progress.CheckpointFile;
import io.cutwater.trainer.progress.RoundListener;
import io.cutwater.trainer.progress.RoundReport;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.ShardSize;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests trainings whose graph and number of shards change between rounds. */
@Timeout(120)
class GrowingTrainingTest {
    private static final TrainerOptions OPTIONS = new TrainerOptions(
            new ModelOptions("graphsage", 2, 8, 2, Aggregator.MEAN, 0.2),
            new SamplingOptions(List.of(5, 5), 64, 1, 2),
            0.02,
            1e-4,
            5,
            "cpu");

    @TempDir
    Path temp;

    private Path scratch;
    private final Rounds rounds = new Rounds();

    @BeforeEach
    void makeFolder() throws IOException {
        scratch = Files.createDirectory(temp.resolve("scratch"));
    }

    /** Records all events and can run an action after a round or while the training waits. */
    private static final class Rounds implements RoundListener {
        private final List<RoundReport> done = new ArrayList<>();
        private final List<float[][]> models = new ArrayList<>();
        private final Map<Integer, Runnable> then = new TreeMap<>();
        private Runnable waiting = () -> {};

        @Override
        public void roundDone(RoundReport report) {
            done.add(report);
            then.getOrDefault(report.round(), () -> {}).run();
        }

        @Override
        public void shardMissing(int round, int shard, String sentence) {
            throw new AssertionError(sentence);
        }

        @Override
        public void waits() {
            waiting.run();
        }

        @Override
        public void modelFound(float[][] weights) {
            models.add(weights);
        }

        private List<Double> losses() {
            return done.stream().map(report -> report.work().loss()).toList();
        }
    }

    private TrainingResult train(GrowingGraph graph, int epochs, RefreshPolicy refresh, Path out) throws Exception {
        return train(graph, graph.shape(), epochs, refresh, out);
    }

    private TrainingResult train(GrowingGraph graph, DataShape shape, int epochs, RefreshPolicy refresh, Path out)
            throws Exception {
        GnnNetwork network = new GnnNetwork(OPTIONS.model(), shape.features(), shape.classes());
        try (AveragedTraining training = new AveragedTraining(
                "a test",
                new AveragingOptions(epochs, 1, 2, Duration.ofMinutes(1), 0).with(refresh),
                graph::latest,
                new SourceTrainers(graph, shape, OPTIONS, scratch),
                network.initialWeights(5),
                out == null ? null : new CheckpointFile(out),
                rounds)) {
            training.resume();
            return training.run();
        }
    }

    @Test
    void mergesWhatIsNewBetweenRoundsAlsoWithAnotherNumberOfShards() throws Exception {
        GrowingGraph graph = new GrowingGraph(temp, 2, 4, 1);
        for (int round : new int[] {1, 3}) {
            rounds.then.put(round, () -> graph.newest++); // the training looks before rounds 1, 3 and 5
        }
        TrainingResult result = train(graph, 6, new RefreshPolicy(2, false), null);

        assertThat(rounds.done)
                .extracting(RoundReport::cut)
                .containsExactly(graph.cut(0), graph.cut(0), graph.cut(1), graph.cut(1), graph.cut(2), graph.cut(2));
        assertThat(rounds.done).extracting(RoundReport::missing).containsOnly(0);
        assertThat(rounds.done).extracting(report -> report.size().vertices()).containsOnly(400L);
        ShardSize whole = rounds.done.get(5).size();
        assertThat(whole.edges())
                .isEqualTo(GrowingGraph.graph(2).edges.stream()
                        .filter(edge -> edge[0] != edge[1])
                        .count());
        long tested = 0;
        for (VertexSplit split : List.of(VertexSplit.TRAIN, VertexSplit.VAL, VertexSplit.TEST)) {
            tested += result.counts().total(split);
        }
        assertThat(tested).isEqualTo(GrowingGraph.VERTICES);
        assertThat(result.bestEpoch()).as("chosen anew on the last graph").isGreaterThan(4);
        assertThat(rounds.models.get(rounds.models.size() - 1)).isDeepEqualTo(result.weights());
    }

    @Test
    void withoutMergesTheShardsStayAsTheyAreAtTheStart() throws Exception {
        GrowingGraph graph = new GrowingGraph(temp, 2);
        rounds.then.put(1, () -> graph.newest++);
        train(graph, 3, new RefreshPolicy(0, false), null);
        assertThat(rounds.done).extracting(RoundReport::cut).containsOnly(graph.cut(0));
    }

    @Test
    void goesOnAtTheCutOfTheCheckpointWithTheSameLosses() throws Exception {
        Path out = Files.createDirectory(temp.resolve("out"));
        GrowingGraph whole = growing();
        TrainingResult expected = train(whole, 8, new RefreshPolicy(3, false), null);
        List<Double> losses = rounds.losses();
        rounds.done.clear();

        GrowingGraph graph = growing();
        train(graph, 4, new RefreshPolicy(3, false), out);
        graph.newest = 2;
        TrainingResult resumed = train(graph, 8, new RefreshPolicy(3, false), out);

        assertThat(rounds.losses()).isEqualTo(losses);
        assertThat(rounds.done)
                .extracting(RoundReport::cut)
                .containsExactly(
                        graph.cut(0),
                        graph.cut(0),
                        graph.cut(0),
                        graph.cut(1),
                        graph.cut(1),
                        graph.cut(1),
                        graph.cut(2),
                        graph.cut(2));
        assertThat(resumed.weights()).isDeepEqualTo(expected.weights());
        assertThat(resumed.bestEpoch()).isEqualTo(expected.bestEpoch());
    }

    private GrowingGraph growing() throws IOException {
        GrowingGraph graph = new GrowingGraph(temp, 2, 3);
        rounds.then.put(2, () -> graph.newest = 1);
        rounds.then.put(5, () -> graph.newest = 2);
        return graph;
    }

    @Test
    void followsItsGraphUntilItIsToldToEndAndGoesOnLater() throws Exception {
        Path out = Files.createDirectory(temp.resolve("out"));
        GrowingGraph graph = new GrowingGraph(temp, 2, 3, 2);
        rounds.waiting = () -> {
            if (++graph.newest == 3) {
                Thread.currentThread().interrupt();
            }
        };
        TrainingResult result = train(graph, 2, new RefreshPolicy(1, true), out);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(result.epochs()).isEqualTo(4);
        assertThat(rounds.done)
                .extracting(RoundReport::cut)
                .containsExactly(graph.cut(0), graph.cut(0), graph.cut(1), graph.cut(2));
        assertThat(rounds.models.get(rounds.models.size() - 1)).isDeepEqualTo(result.weights());
        assertThat(scratch).isEmptyDirectory();

        rounds.models.clear();
        rounds.waiting = () -> Thread.currentThread().interrupt();
        TrainingResult later = train(graph, 2, new RefreshPolicy(1, true), out);
        assertThat(rounds.done).extracting(RoundReport::cut).endsWith(graph.cut(2), graph.cut(3));
        assertThat(later.epochs()).isEqualTo(5);
        assertThat(rounds.models.get(0)).as("what the checkpoint has").isDeepEqualTo(result.weights());
        assertThat(rounds.models.get(1)).isDeepEqualTo(later.weights());
    }

    @Test
    void endsWithTheModelOfItsLastRoundInTheMiddleOfAMerge() throws Exception {
        Path out = Files.createDirectory(temp.resolve("out"));
        GrowingGraph graph = new GrowingGraph(temp, 2, 3);
        graph.last = 2;
        rounds.waiting = () -> graph.newest++;
        TrainingResult result = train(graph, 2, new RefreshPolicy(1, true), out);
        assertThat(rounds.done).extracting(RoundReport::cut).endsWith(graph.cut(1));
        assertThat(result.epochs()).isEqualTo(3);
        assertThat(rounds.models.get(rounds.models.size() - 1)).isDeepEqualTo(result.weights());
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void whatAnOlderCutHadOnDiskIsGone() throws Exception {
        GrowingGraph graph = new GrowingGraph(temp, 3, 2);
        List<FileChannel> older = new ArrayList<>();
        for (int round = 1; round <= 8; round++) {
            rounds.then.put(round, () -> {
                graph.newest++;
                assertThat(older).allSatisfy(file -> assertThat(file.size()).isZero());
                older.addAll(files());
            });
        }
        train(graph, 8, new RefreshPolicy(1, false), null);
        assertThat(older).as("at least three files per shard and cut").hasSizeGreaterThanOrEqualTo(8 * 2 * 3);
        for (FileChannel file : older) {
            file.close();
        }
        assertThat(scratch).isEmptyDirectory();
    }

    /** Lists all files that exist now, each of which is mapped, too. */
    private List<FileChannel> files() {
        try (Stream<Path> all = Files.walk(scratch)) {
            List<FileChannel> open = new ArrayList<>();
            for (Path path : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                FileChannel file = FileChannel.open(path);
                assertThat(file.size()).isPositive();
                open.add(file);
            }
            return open;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aShardWithoutVerticesIsLegal() throws Exception {
        GrowingGraph graph = new GrowingGraph(temp, -3);
        TrainingResult result = train(graph, 3, RefreshPolicy.NEVER, null);
        assertThat(rounds.done).extracting(RoundReport::missing).containsOnly(0);
        assertThat(rounds.done.get(0).size().vertices()).isEqualTo(GrowingGraph.VERTICES);
        assertThat(result.counts().total(VertexSplit.VAL)).isPositive();
    }

    @Test
    void aClassThatTheModelDoesNotKnowIsNamedWithTheOption() throws Exception {
        GrowingGraph graph = new GrowingGraph(temp, 2);
        DataShape fewer = new DataShape(graph.shape().features(), GrowingGraph.CLASSES - 1);
        assertThatThrownBy(() -> train(graph, fewer, 2, RefreshPolicy.NEVER, null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(
                        "has class 3, but the model has 3 classes, numbered from 0; start over with --classes 4 or more");
        assertThat(scratch).isEmptyDirectory();
    }
}
