package io.cutwater.trainer.output;

import java.nio.FloatBuffer;

/** The embeddings of a shard's vertices. */
@FunctionalInterface
public interface EmbeddingSource {
    /** Copies the embedding of a vertex: the input of the last layer in the last run. */
    void embedding(int local, FloatBuffer into);
}
