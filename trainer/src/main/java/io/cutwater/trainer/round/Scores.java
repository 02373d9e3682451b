package io.cutwater.trainer.round;

/** The scores of one vertex, one per class, within an array of many. */
public final class Scores {
    private Scores() {}

    /** The class with the highest score, of several such the lowest. */
    public static int best(float[] scores, int at, int classes) {
        int best = 0;
        for (int i = 1; i < classes; i++) {
            if (scores[at + i] > scores[at + best]) {
                best = i;
            }
        }
        return best;
    }

    /** −ln of the probability that the scores give a class, as {@code GnnNetwork.loss} does. */
    static double loss(float[] scores, int at, int classes, int label) {
        double largest = scores[at + best(scores, at, classes)];
        double sum = 0;
        for (int i = 0; i < classes; i++) {
            sum += Math.exp(scores[at + i] - largest);
        }
        return Math.log(sum) + largest - scores[at + label];
    }
}
