package io.cutwater.format.vertex;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * The file {@code vertex-data.json}: the vertex data of the shards of a folder.
 *
 * @param rows of the input, one for each vertex
 * @param features of each vertex, 0 for none
 * @param labels whether there are labels
 * @param split whether there is a split
 * @param rowsWithoutEdge rows whose vertex has no edge and is in no shard
 * @param verticesWithoutRow vertices without a row in the input: their features are 0, their label is −1
 */
@JsonPropertyOrder({"rows", "features", "labels", "split", "rowsWithoutEdge", "verticesWithoutRow"})
public record VertexDataSummary(
        long rows, int features, boolean labels, boolean split, long rowsWithoutEdge, long verticesWithoutRow) {}
