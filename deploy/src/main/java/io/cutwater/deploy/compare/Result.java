package io.cutwater.deploy.compare;

import io.cutwater.kafka.record.RunReport;
import io.cutwater.state.quality.EdgeQuality;
import io.cutwater.state.quality.VertexQuality;

/** What came of one candidate. */
public record Result(Candidate candidate, RunReport report) {
    /** Copies of a vertex: replicas of an edge partitioning; of a vertex partitioning, with full neighbours. */
    public double replicationFactor() {
        return report.quality() instanceof VertexQuality vertices
                ? vertices.replicationFactorFullNeighbours()
                : ((EdgeQuality) report.quality()).replicationFactor();
    }

    /** The fullest partition over the average: edges of an edge partitioning; volume of a vertex partitioning. */
    public double balance() {
        return report.quality() instanceof VertexQuality vertices
                ? vertices.volumeBalance()
                : ((EdgeQuality) report.quality()).edgeBalance();
    }
}
