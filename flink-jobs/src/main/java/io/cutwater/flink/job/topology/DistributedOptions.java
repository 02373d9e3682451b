package io.cutwater.flink.job.topology;

import io.cutwater.flink.connector.feedback.LoopOptions;
import io.cutwater.flink.operator.distributed.SpreadOptions;

/** How a job is spread out, and the topic that closes its loop. */
public record DistributedOptions(SpreadOptions spread, LoopOptions loop) {}
