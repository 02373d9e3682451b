package io.cutwater.kafka.record;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.state.quality.VertexQuality;
import io.cutwater.state.quality.VertexQuality.PartitionQuality;

/**
 * The report on a vertex partitioning: {@link RunReport} for the other kind.
 *
 * @param deadLetters records of the input that were no edges
 * @param seconds wall time of the work
 * @param peakMemoryBytes largest memory of the process
 */
public record VertexRunReport(
        String algorithm, long seed, VertexQuality quality, long deadLetters, double seconds, long peakMemoryBytes) {
    public static final String VERTEX = "vertex";

    private static final ObjectMapper JSON = new ObjectMapper();

    public double edgesPerSecond() {
        return seconds > 0 ? quality.edges() / seconds : 0;
    }

    /** As JSON with the keys that the README promises, over several lines, without a last line end. */
    public String toPrettyString() {
        return tree().toPrettyString();
    }

    /** The same as a tree of its own, which may be added to. */
    public ObjectNode tree() {
        ObjectNode tree = JSON.createObjectNode();
        tree.put("algorithm", algorithm);
        tree.put("kind", VERTEX);
        tree.put("partitions", quality.partitions());
        tree.put("seed", seed);
        tree.put("vertices", quality.vertices());
        tree.put("edges", quality.edges());
        tree.put("deadLetters", deadLetters);
        tree.put("vertexBalance", quality.vertexBalance());
        tree.put("edgeCutRatio", quality.edgeCutRatio());
        tree.put("volumeBalance", quality.volumeBalance());
        tree.put("replicationFactorFullNeighbours", quality.replicationFactorFullNeighbours());
        tree.put("seconds", seconds);
        tree.put("edgesPerSecond", edgesPerSecond());
        tree.put("peakMemoryBytes", peakMemoryBytes);
        ArrayNode perPartition = tree.putArray("perPartition");
        for (PartitionQuality partition : quality.perPartition()) {
            perPartition
                    .addObject()
                    .put("partition", partition.partition())
                    .put("vertices", partition.owned())
                    .put("haloVertices", partition.halo())
                    .put("volume", partition.volume());
        }
        return tree;
    }
}
