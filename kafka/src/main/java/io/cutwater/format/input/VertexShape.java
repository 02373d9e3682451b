package io.cutwater.format.input;

/**
 * The shape of files of vertex data, found by reading all of them.
 *
 * @param rows one for each vertex
 * @param featureCount d, 0 without features
 * @param hasIds whether rows name their vertices; otherwise the rows are vertices 0, 1, 2, …
 */
public record VertexShape(long rows, int featureCount, boolean hasLabels, boolean hasSplit, boolean hasIds) {}
