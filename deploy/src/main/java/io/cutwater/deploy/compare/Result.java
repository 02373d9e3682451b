package io.cutwater.deploy.compare;

import io.cutwater.kafka.record.RunReport;
import io.cutwater.kafka.record.VertexRunReport;

/** What came of one candidate. */
public sealed interface Result {
    Candidate candidate();

    /** Copies of a vertex: replicas of an edge partitioning; of a vertex partitioning, with full neighbours. */
    double replicationFactor();

    /** The fullest partition over the average: edges of an edge partitioning; volume of a vertex partitioning. */
    double balance();

    /** @param report its quality is that of an edge partitioning */
    record OfEdges(Candidate candidate, RunReport report) implements Result {
        @Override
        public double replicationFactor() {
            return report.quality().replicationFactor();
        }

        @Override
        public double balance() {
            return report.quality().edgeBalance();
        }
    }

    /** @param report its quality is that of a vertex partitioning */
    record OfVertices(Candidate candidate, VertexRunReport report) implements Result {
        @Override
        public double replicationFactor() {
            return report.quality().replicationFactorFullNeighbours();
        }

        @Override
        public double balance() {
            return report.quality().volumeBalance();
        }
    }
}
