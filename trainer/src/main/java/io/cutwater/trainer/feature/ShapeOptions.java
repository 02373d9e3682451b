package io.cutwater.trainer.feature;

import java.io.IOException;

/**
 * The part of a model's shape that the user chose; the rest is derived from the vertices.
 *
 * @param features number of features of a vertex; 0 for the number that most vertices of a topic have
 * @param classes number of classes of the model, which may exceed those present; 0 for the highest class present plus 1
 * @param maxClasses exclusive upper bound of labels if {@code classes} is 0; larger labels count as errors; at least 1
 * @param allowsMissingFeatures whether vertices may lack a row in files or folders: they get zeros and no class.
 *     Vertices of a topic may always lack data.
 * @param embeddings values of a row that is learned for each vertex, because no vertex has features; 0 for features
 */
public record ShapeOptions(int features, int classes, int maxClasses, boolean allowsMissingFeatures, int embeddings) {
    /** Default of the exclusive upper bound of labels. */
    public static final int DEFAULT_MAX_CLASSES = 1 << 16;

    /** Derives everything from the vertices. */
    public static final ShapeOptions FOUND = ofClasses(0);

    public ShapeOptions {
        if (features < 0) {
            throw new IllegalArgumentException("--feature-count must be at least 1: " + features);
        }
        if (classes < 0) {
            throw new IllegalArgumentException("--classes must be at least 1: " + classes);
        }
        if (maxClasses < 1) {
            throw new IllegalArgumentException("--max-classes must be at least 1: " + maxClasses);
        }
    }

    /** Creates options for vertices with features. */
    public ShapeOptions(int features, int classes, int maxClasses, boolean allowsMissingFeatures) {
        this(features, classes, maxClasses, allowsMissingFeatures, 0);
    }

    /** @param classes number of classes; 0 for those present */
    public static ShapeOptions ofClasses(int classes) {
        return new ShapeOptions(0, classes, DEFAULT_MAX_CLASSES, false);
    }

    /** Returns a copy of these options that allows or forbids missing features. */
    public ShapeOptions allowingMissingFeatures(boolean isAllowed) {
        return new ShapeOptions(features, classes, maxClasses, isAllowed, embeddings);
    }

    /** Returns a copy of these options for vertices without features, which may also lack a class and a split. */
    public ShapeOptions withEmbeddings(int width) {
        return new ShapeOptions(features, classes, maxClasses, allowsMissingFeatures || width > 0, width);
    }

    /**
     * Refuses features beside embeddings, and vertices with neither.
     *
     * @param found number of features of a vertex
     * @param advice what to do if there are none, for users
     */
    void requireEither(int found, String where, String advice) throws IOException {
        if (found == 0 && embeddings == 0) {
            throw new IOException("%s have no features; %s".formatted(where, advice));
        }
        if (found > 0 && embeddings > 0) {
            throw new IOException(
                    "%s have %d features, and --embeddings is for vertices without features; leave it out, or the features"
                            .formatted(where, found));
        }
    }

    /** Returns the exclusive upper bound of labels. */
    public int labelBound() {
        return Math.max(classes, maxClasses);
    }
}
