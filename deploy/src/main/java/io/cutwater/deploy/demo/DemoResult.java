package io.cutwater.deploy.demo;

import io.cutwater.format.json.RunReport;
import io.cutwater.state.repartition.live.RepartitionStatus;

/**
 * Result of the demo.
 *
 * @param report of the job at the end
 * @param plan final status of the re-partitioning
 * @param live training on the shards, while they grew and after the re-partitioning
 * @param centralised training on the whole final graph, with as many epochs
 */
public record DemoResult(RunReport report, RepartitionStatus plan, Learned live, Learned centralised) {}
