package io.cutwater.deploy.bench.speed;

import com.sun.management.OperatingSystemMXBean;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.LocalTrainer;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/**
 * Mean times of an epoch and of a test, in milliseconds; NaN for a test if there was none. CPU time is that of the
 * process, with sampling and garbage collection.
 *
 * @param loss mean loss of the last epoch
 */
public record EpochTimes(
        double cpuMillis, double wallMillis, double testCpuMillis, double testWallMillis, double loss) {
    /**
     * What is measured. The first tenth of the rounds, and at least one, is a warm-up and not counted.
     *
     * @param rounds number of rounds, at least 2
     * @param epochs epochs of a round, after which weights and optimiser state are read
     * @param testEvery rounds from a test to the next; 0 for no tests
     */
    public record Plan(int rounds, int epochs, int testEvery) {
        /** Returns the number of rounds that are not counted. */
        public int warmUps() {
            return Math.max(1, rounds / 10);
        }
    }

    /**
     * Trains on a shard alone.
     *
     * @param scratch folder for files of this training alone
     */
    public static EpochTimes measure(
            ShardStore store, GnnNetwork network, TrainerOptions options, Plan plan, Path scratch)
            throws IOException, InterruptedException {
        ModelState state = ModelState.initial(network.initialWeights(options.randomSeed()));
        Stopwatch training = new Stopwatch();
        Stopwatch testing = new Stopwatch();
        double loss = Double.NaN;
        try (LocalTrainer trainer = new LocalTrainer(store, network, options, scratch)) {
            for (int round = 0; round < plan.rounds; round++) {
                boolean isWarmUp = round < plan.warmUps();
                Stopwatch counted = isWarmUp ? new Stopwatch() : training;
                counted.begin();
                LocalUpdate update =
                        trainer.train(new Round(round + 1, ShardCut.only(1), round * plan.epochs, plan.epochs), state);
                counted.end(plan.epochs);
                state = update.state();
                loss = update.report().loss();
                if (plan.testEvery > 0 && round % plan.testEvery == 0) {
                    Stopwatch test = isWarmUp ? new Stopwatch() : testing;
                    test.begin();
                    trainer.evaluate(state.weights());
                    test.end(1);
                }
            }
        }
        return new EpochTimes(
                training.cpuMillis(), training.wallMillis(), testing.cpuMillis(), testing.wallMillis(), loss);
    }

    /** A sum of intervals. */
    private static final class Stopwatch {
        private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        private long cpuNanos;
        private long wallNanos;
        private int count;

        void begin() {
            cpuNanos -= system.getProcessCpuTime();
            wallNanos -= System.nanoTime();
        }

        void end(int times) {
            cpuNanos += system.getProcessCpuTime();
            wallNanos += System.nanoTime();
            count += times;
        }

        double cpuMillis() {
            return cpuNanos / 1e6 / count;
        }

        double wallMillis() {
            return wallNanos / 1e6 / count;
        }
    }
}
