package io.cutwater.trainer.feature;

/**
 * The part of a model's shape that the user chose; the rest is derived from the vertices.
 *
 * @param features number of features of a vertex; 0 for the number that most vertices of a topic have
 * @param classes number of classes of the model, which may exceed those present; 0 for the highest class present plus 1
 * @param maxClasses exclusive upper bound of labels if {@code classes} is 0; larger labels count as errors; at least 1
 * @param allowsMissingFeatures whether vertices may lack a row in files or folders: they get zeros and no class.
 *     Vertices of a topic may always lack data.
 */
public record ShapeOptions(int features, int classes, int maxClasses, boolean allowsMissingFeatures) {
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

    /** @param classes number of classes; 0 for those present */
    public static ShapeOptions ofClasses(int classes) {
        return new ShapeOptions(0, classes, DEFAULT_MAX_CLASSES, false);
    }

    /** Returns a copy of these options that allows or forbids missing features. */
    public ShapeOptions allowingMissingFeatures(boolean isAllowed) {
        return new ShapeOptions(features, classes, maxClasses, isAllowed);
    }

    /** Returns the exclusive upper bound of labels. */
    public int labelBound() {
        return Math.max(classes, maxClasses);
    }
}
