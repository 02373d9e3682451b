package io.cutwater.deploy.compare;

import io.cutwater.format.json.RunReport;

/** The report of one candidate. */
public record Result(Candidate candidate, RunReport report) {}
