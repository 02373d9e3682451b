package io.cutwater.trainer.fullgraph;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.exchange.Direction;
import io.cutwater.trainer.exchange.RowCoding;
import io.cutwater.trainer.exchange.RowExchange;
import io.cutwater.trainer.exchange.ShardRows;
import io.cutwater.trainer.exchange.Staleness;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No row that is older than the bound is used, whichever rule decides, and every byte is counted. */
class StaleRowsTest {
    private static final int EPOCHS = 40;
    private static final int COLUMNS = 2; // the epoch of the row, and a value that changes at random

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(PartitioningKind.class)
    void noRowIsOlderThanTheBound(PartitioningKind kind) throws Exception {
        long avoided = 0;
        for (int seed = 0; seed < 6; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int k = 2 + random.nextInt(4);
            int bound = 1 + random.nextInt(4);
            Staleness rule = new Staleness(
                    Staleness.Kind.values()[1 + seed % 3], bound, 0.2 * random.nextDouble(), random.nextInt(10));
            RandomGraph graph = new RandomGraph(seed, 60, 150, 4, 3, 0.5);
            avoided += run(new TestShards(graph, kind, k, folder), kind, k, rule, seed);
        }
        assertThat(avoided).isPositive();
    }

    private long run(TestShards shards, PartitioningKind kind, int k, Staleness rule, int seed) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(k);
        FrameGroup group = FrameGroup.ofThisProcess(k);
        try {
            List<Future<Long>> workers = new ArrayList<>();
            for (int each = 0; each < k; each++) {
                int rank = each;
                workers.add(threads.submit(() -> {
                    long[] avoided = new long[1];
                    shards.open(rank, ShardCut.only(k), store -> {
                        ShardRows rows = ShardRows.link(group.channel(rank), store, 0, seed);
                        RowExchange exchange = new RowExchange(
                                group.channel(rank),
                                rows,
                                rule,
                                RowCoding.FLOAT32,
                                false,
                                kind == PartitioningKind.EDGE);
                        avoided[0] = check(
                                exchange,
                                group.channel(rank),
                                rows,
                                kind,
                                rule,
                                new SplittableRandom(seed * 100L + rank));
                    });
                    return avoided[0];
                }));
            }
            long avoided = 0;
            for (Future<Long> worker : workers) {
                avoided += worker.get();
            }
            return avoided;
        } finally {
            threads.shutdownNow();
        }
    }

    private static long check(
            RowExchange exchange,
            FrameChannel others,
            ShardRows rows,
            PartitioningKind kind,
            Staleness rule,
            SplittableRandom random)
            throws IOException, InterruptedException {
        float[] copies = new float[rows.count()]; // of own rows, elsewhere
        Arrays.fill(copies, rows.ownCount(), copies.length, 1);
        exchange.gather(Direction.INPUT_GATHER, 0, 0, 0, copies, copies, 1);
        exchange.takeTraffic();
        long whole = -1;
        long avoided = 0;
        float[] drift = new float[rows.ownCount()];
        for (int epoch = 0; epoch < EPOCHS; epoch++) {
            if (epoch % 25 == 24) {
                exchange.continueIn(others); // as at the start of a round
            }
            float[] values = new float[rows.count() * COLUMNS];
            for (int row = 0; row < rows.ownCount(); row++) {
                drift[row] += random.nextInt(4) == 0 ? (float) random.nextDouble(0.3) : 0;
                values[row * COLUMNS] = epoch / 1000f;
                values[row * COLUMNS + 1] = 1 + drift[row];
            }
            int oldest = exchange.scatter(Direction.FORWARD_SCATTER, 1, epoch, values, values, COLUMNS);
            assertThat(oldest).isBetween(epoch - rule.bound(), epoch);
            for (int row = rows.ownCount(); row < rows.count(); row++) {
                assertThat(Math.round(values[row * COLUMNS] * 1000)).isBetween(oldest, epoch);
            }
            if (kind == PartitioningKind.EDGE) {
                float[] sums = new float[rows.count()];
                Arrays.fill(sums, rows.ownCount(), sums.length, oldest);
                exchange.gather(Direction.FORWARD_GATHER, 1, epoch, oldest, sums, sums, 1);
                for (int row = 0; row < rows.ownCount(); row++) {
                    assertThat(sums[row]).isBetween(copies[row] * (epoch - rule.bound()), copies[row] * epoch);
                }
            }
            Traffic traffic = exchange.takeTraffic();
            whole = whole < 0 ? traffic.forwardSent() : whole;
            assertThat(traffic.forwardSent() + traffic.forwardAvoided()).isEqualTo(whole);
            avoided += traffic.forwardAvoided();
            if (epoch < rule.warmUp()) {
                assertThat(traffic.forwardAvoided()).isZero();
            }
        }
        return avoided;
    }
}
