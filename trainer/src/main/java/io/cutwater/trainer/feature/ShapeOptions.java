package io.cutwater.trainer.feature;

/**
 * What is given of the shape that a model must fit; the rest is found in the vertices.
 *
 * @param features of a vertex; 0: as many as most vertices of a topic have
 * @param classes how many a model is to tell apart, so that there may be some that no vertex has yet; 0: one more than
 *     the highest class that is there
 * @param maxClasses labels from here on are taken for mistakes, as long as classes are not given; at least 1
 * @param allowsMissingFeatures whether vertices may have no row in files or folders with features: theirs are 0, and
 *     they have no class. Vertices of a topic may always have none yet.
 */
public record ShapeOptions(int features, int classes, int maxClasses, boolean allowsMissingFeatures) {
    /** Classes that a graph may have unless told otherwise. */
    public static final int DEFAULT_MAX_CLASSES = 1 << 16;

    /** Nothing is given. */
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

    /** @param classes 0: those that there are */
    public static ShapeOptions ofClasses(int classes) {
        return new ShapeOptions(0, classes, DEFAULT_MAX_CLASSES, false);
    }

    /** The same, where vertices may, or may not, have no features. */
    public ShapeOptions allowingMissingFeatures(boolean isAllowed) {
        return new ShapeOptions(features, classes, maxClasses, isAllowed);
    }

    /** Labels that may be there are below it. */
    public int labelBound() {
        return Math.max(classes, maxClasses);
    }
}
