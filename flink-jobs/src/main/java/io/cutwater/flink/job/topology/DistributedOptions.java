package io.cutwater.flink.job.topology;

import io.cutwater.flink.connector.feedback.LoopOptions;
import io.cutwater.flink.operator.distributed.SpreadOptions;

/** Options of the distributed topology: numbers of tasks, and the topic of vertex updates. */
public record DistributedOptions(SpreadOptions spread, LoopOptions loop) {}
