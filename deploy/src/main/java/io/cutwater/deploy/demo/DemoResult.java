package io.cutwater.deploy.demo;

import io.cutwater.format.json.RunReport;
import io.cutwater.state.repartition.live.RepartitionStatus;

/**
 * What came of the demonstration.
 *
 * @param report of the job at the end
 * @param plan how the re-partitioning ended
 * @param live what was learned from the shards, while they grew and after they were placed anew
 * @param centralised what was learned from the whole graph at its end, with as many epochs
 */
public record DemoResult(RunReport report, RepartitionStatus plan, Learned live, Learned centralised) {}
