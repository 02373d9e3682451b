package io.cutwater.format.vertex;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * What the shards of a folder have of their vertices: the file {@code vertex-data.json}.
 *
 * @param rows of the input, one for each vertex
 * @param features of each vertex, 0 for none
 * @param labels whether there are labels
 * @param split whether there is a split
 * @param rowsWithoutEdge rows whose vertex has no edge, and so is in no shard
 * @param verticesWithoutRow vertices of which the input says nothing: their features are 0, their label is −1
 */
@JsonPropertyOrder({"rows", "features", "labels", "split", "rowsWithoutEdge", "verticesWithoutRow"})
public record VertexDataSummary(
        long rows, int features, boolean labels, boolean split, long rowsWithoutEdge, long verticesWithoutRow) {}
