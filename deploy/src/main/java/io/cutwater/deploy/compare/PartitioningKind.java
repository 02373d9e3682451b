package io.cutwater.deploy.compare;

import io.cutwater.kafka.record.RunReport;
import io.cutwater.kafka.record.VertexRunReport;
import io.cutwater.state.partition.EdgePartitioners;
import io.cutwater.state.vertex.VertexPartitioners;
import java.util.List;

/** What is placed: edges, or vertices. */
public enum PartitioningKind {
    EDGE(RunReport.EDGE, EdgePartitioners.names()),
    VERTEX(VertexRunReport.VERTEX, VertexPartitioners.names());

    private final String label;
    private final List<String> algorithms;

    PartitioningKind(String label, List<String> algorithms) {
        this.label = label;
        this.algorithms = algorithms;
    }

    /** As reports have it. */
    public String label() {
        return label;
    }

    /** The names of its algorithms, sorted. */
    public List<String> algorithms() {
        return algorithms;
    }
}
