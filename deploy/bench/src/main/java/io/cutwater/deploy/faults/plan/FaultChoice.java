package io.cutwater.deploy.faults.plan;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The faults that a campaign draws from, and how long they last.
 *
 * @param kinds drawn with equal chance; a kind that is listed twice is drawn twice as often
 * @param trainingsInTen share of the runs with a training, in tenths, 0 to 10
 * @param longestPause seconds of the longest pause, cut or full disk, at least 1
 */
public record FaultChoice(List<FaultKind> kinds, int longestPause, int trainingsInTen) {
    /** Kills and pauses are the most common. */
    public static final List<FaultKind> DEFAULT = List.of(
            FaultKind.KILL,
            FaultKind.KILL,
            FaultKind.KILL,
            FaultKind.PAUSE,
            FaultKind.PAUSE,
            FaultKind.BROKER_RESTART,
            FaultKind.RESCALE,
            FaultKind.RESCALE,
            FaultKind.REPARTITION,
            FaultKind.CUT,
            FaultKind.STALL,
            FaultKind.TRUNCATE,
            FaultKind.DELETE_RECORDS,
            FaultKind.NO_CHECKPOINTS,
            FaultKind.FULL_DISK,
            FaultKind.FULL_BROKER_DISK,
            FaultKind.CLOCK);

    /** A choice for tests: short pauses, and nothing that needs the right to mount or that destroys data. */
    public static final FaultChoice CHEAP = new FaultChoice(
            List.of(
                    FaultKind.KILL,
                    FaultKind.KILL,
                    FaultKind.PAUSE,
                    FaultKind.BROKER_RESTART,
                    FaultKind.RESCALE,
                    FaultKind.REPARTITION,
                    FaultKind.CUT),
            3,
            0);

    /** The longest step of a clock, in seconds; shorter than the timeout of a transaction, which would abort it. */
    private static final int LONGEST_STEP = 600;

    FaultKind pick(SplittableRandom random) {
        return kinds.get(random.nextInt(kinds.size()));
    }

    boolean allows(FaultKind kind) {
        return kinds.contains(kind);
    }

    boolean trains(SplittableRandom random) {
        return random.nextInt(10) < trainingsInTen;
    }

    int seconds(SplittableRandom random) {
        return 1 + random.nextInt(longestPause);
    }

    /** Seconds by which a clock is set forward, or back if negative; never 0. */
    int step(SplittableRandom random) {
        int step = 1 + random.nextInt(LONGEST_STEP);
        return random.nextBoolean() ? step : -step;
    }

    /** Returns a job to which the only requested fault can happen. */
    JobShape adapt(JobShape drawn) {
        boolean onlyRepartitions = kinds.stream().allMatch(kind -> kind == FaultKind.REPARTITION);
        return onlyRepartitions && !drawn.keepsEdges()
                ? new JobShape(
                        "edge",
                        "hdrf",
                        true,
                        false,
                        0,
                        0,
                        drawn.partitions(),
                        "batch",
                        drawn.topicPartitions(),
                        drawn.checkpointMillis(),
                        false)
                : drawn;
    }
}
