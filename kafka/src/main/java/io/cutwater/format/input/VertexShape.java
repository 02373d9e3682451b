package io.cutwater.format.input;

/**
 * What the files of vertex data have, found by reading all of them.
 *
 * @param rows one for each vertex
 * @param featureCount d, 0 without features
 * @param hasIds whether rows name their vertices; else the first row is vertex 0, the next 1, and so on
 */
public record VertexShape(long rows, int featureCount, boolean hasLabels, boolean hasSplit, boolean hasIds) {}
