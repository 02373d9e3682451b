package io.cutwater.flink.connector.bulk.work;

import io.cutwater.flink.connector.feedback.LoopTopic;
import java.io.Serializable;

/**
 * One of several tasks that place a history together.
 *
 * @param number of the task, from 0
 * @param job number of the job, the same for all tasks and attempts
 * @param buckets key groups of the vertex tables, by which messages are in the topic of updates; as many as tasks at
 *     least
 * @param loop the topic of updates, which has the messages between the tasks
 */
public record BulkTask(int number, long job, int buckets, LoopTopic loop) implements Serializable {
    private static final long serialVersionUID = 1;

    /** Returns a task of the same job. */
    public BulkTask withNumber(int other) {
        return new BulkTask(other, job, buckets, loop);
    }

    /** Returns the bucket by which messages find each of so many tasks. */
    int[] firstBuckets(int tasks) {
        int[] first = new int[tasks];
        for (int task = 0; task < tasks; task++) {
            first[task] = (int) ((long) task * buckets / tasks);
        }
        return first;
    }
}
