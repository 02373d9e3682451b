package io.cutwater.trainer.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.reduce.AllReduce.Outcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AllReduceTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void allRanksGetTheMeanInRankOrderBitByBit(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        int ranks = 1 + random.nextInt(8);
        int length = random.nextInt(3) == 0 ? random.nextInt(ranks + 1) : random.nextInt(500);
        int steps = 1 + random.nextInt(5);
        float[][][] gradients = new float[steps][ranks][length];
        long[][] weights = new long[steps][ranks];
        for (int step = 0; step < steps; step++) {
            for (int rank = 0; rank < ranks; rank++) {
                weights[step][rank] = random.nextInt(3) == 0 ? 0 : random.nextInt(1, 5000);
                for (int i = 0; i < length; i++) {
                    gradients[step][rank][i] = (float) (random.nextDouble(-1, 1) * Math.pow(10, random.nextInt(-6, 6)));
                }
            }
        }
        FrameGroup group = FrameGroup.ofThisProcess(ranks);
        List<Future<float[][]>> results = new ArrayList<>();
        for (int each = 0; each < ranks; each++) {
            int rank = each;
            long delay = random.nextLong();
            results.add(threads.submit(() -> {
                SplittableRandom pauses = new SplittableRandom(delay);
                AllReduce reduce = new AllReduce(group.channel(rank));
                float[][] means = new float[steps][];
                for (int step = 0; step < steps; step++) {
                    for (int turn = pauses.nextInt(200); turn > 0; turn--) {
                        Thread.yield();
                    }
                    means[step] = gradients[step][rank].clone();
                    Outcome outcome = reduce.mean(means[step], weights[step][rank], step + 1 < steps && rank == 0);
                    assertThat(outcome).isEqualTo(new Outcome(sum(weights[step]), step + 1 < steps));
                }
                assertThat(reduce.bytes()).isLessThanOrEqualTo(8L * steps * (ranks - 1) * (length / ranks + 1));
                return means;
            }));
        }
        for (int rank = 0; rank < ranks; rank++) {
            float[][] means = results.get(rank).get();
            for (int step = 0; step < steps; step++) {
                if (sum(weights[step]) > 0) {
                    assertThat(means[step]).isEqualTo(mean(gradients[step], weights[step]));
                }
            }
        }
    }

    private static long sum(long[] weights) {
        long sum = 0;
        for (long weight : weights) {
            sum += weight;
        }
        return sum;
    }

    private static float[] mean(float[][] gradients, long[] weights) {
        float[] mean = new float[gradients[0].length];
        for (int i = 0; i < mean.length; i++) {
            double sum = 0;
            for (int rank = 0; rank < weights.length; rank++) {
                sum += weights[rank] * (double) gradients[rank][i];
            }
            mean[i] = (float) (sum / sum(weights));
        }
        return mean;
    }

    /** The sums are exact, so a gradient is unchanged where no other rank has one. */
    @Test
    void theOnlyGradientStaysAsItIs() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        float[] gradient = new float[1000];
        for (int i = 0; i < gradient.length; i++) {
            gradient[i] = Float.intBitsToFloat(random.nextInt());
            gradient[i] = Float.isFinite(gradient[i]) ? gradient[i] : 1;
        }
        float[] mean = gradient.clone();
        new AllReduce(FrameChannel.alone()).mean(mean, 12_345, false);
        assertThat(mean).isEqualTo(gradient);
    }

    @Test
    void aFailureWakesAllWhoWait() {
        FrameGroup group = FrameGroup.ofThisProcess(3);
        Future<?> first = threads.submit(() -> new AllReduce(group.channel(0)).mean(new float[9], 1, true));
        Future<?> second = threads.submit(() -> new AllReduce(group.channel(1)).mean(new float[9], 1, true));
        group.fail("shard 2 failed: no memory");
        group.fail("something else");
        for (Future<?> rank : List.of(first, second)) {
            assertThatThrownBy(rank::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseMessage("shard 2 failed: no memory");
        }
    }

    @Test
    void partsThatDoNotFitAreRefused() {
        FrameGroup group = FrameGroup.ofThisProcess(2);
        group.deliver(1, 0, new Part(1, false, 5, true, new float[3]).encode());
        AllReduce reduce = new AllReduce(group.channel(0));
        assertThatThrownBy(() -> reduce.mean(new float[8], 1, true))
                .hasMessageStartingWith("shard 1 sent 3 values of step 1 instead of 4 of step 1");
        for (int i = 0; i < 4; i++) {
            group.deliver(1, 0, new Part(2, false, 0, true, new float[0]).encode());
        }
        assertThatThrownBy(() -> group.deliver(1, 0, ByteBuffer.allocate(0)))
                .hasMessageStartingWith("shard 1 sent more than 4 frames");
        assertThatThrownBy(() -> new AllReduce(group.channel(0)).mean(new float[8], 1, true))
                .hasMessageContaining("of step 2 instead");
    }

    @Test
    void framesThatAreNoPartsAreRefused() {
        ByteBuffer negative = new Part(1, false, -1, true, new float[4]).encode();
        for (ByteBuffer frame : List.of(ByteBuffer.allocate(12), ByteBuffer.allocate(14), negative)) {
            FrameGroup group = FrameGroup.ofThisProcess(2);
            group.deliver(1, 0, frame);
            assertThatThrownBy(() -> new AllReduce(group.channel(0)).mean(new float[8], 1, true))
                    .hasMessageStartingWith("shard 1 sent a part of a gradient in ");
        }
    }

    @Test
    void partsAreWrittenAsDocumented() {
        assertThat(HexFormat.of()
                        .formatHex(new Part(4, true, 5, true, new float[] {1, -2})
                                .encode()
                                .array()))
                .isEqualTo("04000000" + "03" + "0500000000000000" + "0000803f" + "000000c0");
    }
}
