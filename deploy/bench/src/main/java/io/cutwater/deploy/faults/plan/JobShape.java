package io.cutwater.deploy.faults.plan;

import java.util.SplittableRandom;

/**
 * Configuration of a run's job.
 *
 * @param kind {@code edge} or {@code vertex}
 * @param parallelism tasks of the vertex table; 0 for the fused topology
 * @param assigners number of assigners; 0 for the fused topology
 * @param format of the edge events
 * @param removesVertices whether records remove vertices; then the topic has one partition, whose order counts
 * @param topicPartitions of topic {@code edges}
 */
public record JobShape(
        String kind,
        String algorithm,
        boolean keepsEdges,
        boolean removesVertices,
        int parallelism,
        int assigners,
        int partitions,
        String format,
        int topicPartitions,
        int checkpointMillis,
        boolean bootstraps) {
    private static final int[] INTERVALS = {300, 500, 1000};
    private static final int SLOTS = 2;

    /** Edges that are placed together: few, so that a run has many buffers. */
    private static final int BUFFER = 300;

    /** Edges after which several assigners place them: few, so that all of them do. */
    private static final int SOLO = 1000;

    static JobShape of(SplittableRandom random) {
        int topicPartitions = 1 + random.nextInt(3);
        int interval = INTERVALS[random.nextInt(INTERVALS.length)];
        int partitions = 4 + random.nextInt(5);
        String format = pick(random, "batch", "json", "batch", "json", "csv", "binary");
        return switch (random.nextInt(5)) {
            case 0, 1 -> {
                String algorithm = pick(random, "hdrf", "cutwater", "sigma-edge");
                yield withKeptEdges(random, "edge", algorithm, partitions, topicPartitions, interval);
            }
            case 2 -> {
                String algorithm = pick(random, "ldg", "cutwater");
                yield withKeptEdges(random, "vertex", algorithm, partitions, topicPartitions, interval);
            }
            case 3 ->
                new JobShape("edge", "hdrf", false, false, 0, 0, partitions, format, topicPartitions, interval, false);
            default ->
                new JobShape(
                        "edge",
                        pick(random, "hdrf", "cutwater", "sigma-edge"),
                        false,
                        false,
                        1 + random.nextInt(SLOTS),
                        1 + random.nextInt(SLOTS),
                        partitions,
                        format,
                        topicPartitions,
                        interval,
                        false);
        };
    }

    /** Returns a job that keeps edges; also spread. */
    private static JobShape withKeptEdges(
            SplittableRandom random, String kind, String algorithm, int partitions, int topicPartitions, int interval) {
        String format = pick(random, "batch", "json");
        boolean bootstraps = random.nextInt(4) == 0 && !algorithm.equals("sigma-edge"); // it has no bulk for that
        boolean isSpread = random.nextBoolean();
        return new JobShape(
                kind,
                algorithm,
                true,
                false,
                isSpread ? 1 + random.nextInt(SLOTS) : 0,
                isSpread ? 1 + random.nextInt(SLOTS) : 0,
                partitions,
                format,
                topicPartitions,
                interval,
                bootstraps);
    }

    /** Returns this job with removals of vertices; it must keep its edges. */
    JobShape removingVertices() {
        return new JobShape(
                kind,
                algorithm,
                keepsEdges,
                true,
                parallelism,
                assigners,
                partitions,
                format,
                1,
                checkpointMillis,
                bootstraps);
    }

    private static String pick(SplittableRandom random, String... values) {
        return values[random.nextInt(values.length)];
    }

    public boolean isDistributed() {
        return parallelism > 0;
    }

    /**
     * The numbers of tasks of a running job.
     *
     * @param tables of the vertex table; 0 for the fused topology
     * @param assigners number of assigners; 0 for the fused topology
     */
    public record Tasks(int tables, int assigners) {
        private static final Tasks FUSED = new Tasks(0, 0);

        /** Returns the options of {@code resume} for a job with these tasks. */
        public String options() {
            return tables == 0
                    ? "--topology fused"
                    : "--topology distributed --parallelism %d --assigners %d".formatted(tables, assigners);
        }

        @Override
        public String toString() {
            return tables == 0 ? "fused" : "%d/%d".formatted(tables, assigners);
        }
    }

    /** Returns tasks with which the job may go on. */
    public Tasks other(SplittableRandom random) {
        int tables = 1 + random.nextInt(SLOTS);
        int other = 1 + random.nextInt(SLOTS);
        boolean gathers = random.nextInt(3) == 0;
        // A history that several tasks place must be over before one goes on.
        boolean mayGather = !bootstraps || parallelism <= 1;
        return gathers && mayGather ? Tasks.FUSED : new Tasks(tables, other);
    }

    /** Returns whether a record of topic edges holds one edge, so that offsets count edges. */
    public boolean hasOneEdgePerRecord() {
        return !format.equals("batch");
    }

    /** Returns whether edges are placed together, which half of the jobs do that can. */
    private boolean hasBuffer() {
        return algorithm.equals("cutwater") && partitions % 2 == 0;
    }

    /** Returns whether one of several assigners places the first edges alone. */
    private boolean beginsAlone() {
        return algorithm.equals("cutwater") || algorithm.equals("sigma-edge");
    }

    /** Returns the options of {@code submit} except servers and prefix. */
    public String options() {
        return "--event-format %s --kind %s --algorithm %s --partitions %d --checkpoint-interval %dms --wait-limit 1s"
                        .formatted(format, kind, algorithm, partitions, checkpointMillis)
                + (keepsEdges ? " --keep-edges" : "")
                + (removesVertices ? " --remove-vertices" : "")
                + (hasBuffer() ? " --buffer-size " + BUFFER : "")
                + (algorithm.equals("hdrf") || beginsAlone() && assigners > 1 ? " --set solo=" + SOLO : "")
                + (bootstraps ? " --bootstrap" : "")
                + (isDistributed()
                        ? " --topology distributed --parallelism %d --assigners %d".formatted(parallelism, assigners)
                        : "");
    }

    @Override
    public String toString() {
        return "%s %s%s%s%s, k = %d, %s, %d topic partitions, checkpoints every %d ms"
                .formatted(
                        kind,
                        algorithm,
                        (keepsEdges ? " kept" : "") + (removesVertices ? ", vertices removed" : ""),
                        hasBuffer() ? " in buffers" : "",
                        (bootstraps ? " bootstrapped" : "")
                                + (isDistributed() ? " distributed %d/%d".formatted(parallelism, assigners) : ""),
                        partitions,
                        format,
                        topicPartitions,
                        checkpointMillis);
    }
}
