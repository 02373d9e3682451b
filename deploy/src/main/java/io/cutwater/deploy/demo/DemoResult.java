package io.cutwater.deploy.demo;

import io.cutwater.kafka.record.PlanStatus;
import io.cutwater.kafka.record.RunReport;

/**
 * What came of the demonstration.
 *
 * @param report of the job at the end
 * @param plan how the re-partitioning ended
 */
public record DemoResult(RunReport report, PlanStatus plan) {}
