package io.cutwater.flink.operator.distributed;

import java.io.Serializable;
import org.apache.flink.api.common.TaskInfo;

/**
 * How the work is spread over tasks.
 *
 * @param buckets key groups of the vertex tables
 * @param tables parallelism of the vertex tables, P
 * @param assigners parallelism of the assigners, A; with 1 the result is a pure function of the order of the input
 */
public record SpreadOptions(int buckets, int tables, int assigners) implements Serializable {
    /** Key groups where nobody asks for another number. */
    public static final int DEFAULT_BUCKETS = 128;

    /**
     * To be called by a task when it starts: who asks, and who waits for an answer, counts on this number.
     *
     * @throws IllegalStateException if the cluster runs another number of tasks than was asked for
     */
    static void requireTasks(String what, int wanted, TaskInfo task) {
        if (task.getNumberOfParallelSubtasks() != wanted) {
            throw new IllegalStateException(
                    ("there are %d tasks of %s where %d were asked for; the cluster must not change the parallelism by itself:"
                                    + " set jobmanager.scheduler: default, and have slots for all")
                            .formatted(task.getNumberOfParallelSubtasks(), what, wanted));
        }
    }

    public SpreadOptions {
        if (tables < 1 || assigners < 1) {
            throw new IllegalArgumentException(
                    "--parallelism and --assigners must be at least 1: %d and %d".formatted(tables, assigners));
        }
        if (tables > buckets) {
            throw new IllegalArgumentException(
                    "--parallelism %d is more than the %d key groups of the state; give at most %d"
                            .formatted(tables, buckets, buckets));
        }
    }
}
