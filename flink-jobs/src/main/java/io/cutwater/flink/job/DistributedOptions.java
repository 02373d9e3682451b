package io.cutwater.flink.job;

import io.cutwater.flink.connector.LoopOptions;
import io.cutwater.flink.operator.SpreadOptions;

/** How a job is spread out, and the topic that closes its loop. */
public record DistributedOptions(SpreadOptions spread, LoopOptions loop) {}
