package io.cutwater.trainer.shard;

/**
 * What a model must fit.
 *
 * @param features of a vertex, at least 1
 * @param classes one more than the highest class; 0 if no vertex has one
 */
public record VertexShape(int features, int classes) {}
