package io.cutwater.trainer.round;

/** The class scores of one vertex, within an array of many vertices. */
public final class Scores {
    private Scores() {}

    /** Returns the class with the highest score, the lowest of several. */
    public static int best(float[] scores, int at, int classes) {
        int best = 0;
        for (int i = 1; i < classes; i++) {
            if (scores[at + i] > scores[at + best]) {
                best = i;
            }
        }
        return best;
    }

    /** Returns −ln of the probability of a class, as in {@code GnnNetwork.loss}. */
    static double loss(float[] scores, int at, int classes, int label) {
        double largest = scores[at + best(scores, at, classes)];
        double sum = 0;
        for (int i = 0; i < classes; i++) {
            sum += Math.exp(scores[at + i] - largest);
        }
        return Math.log(sum) + largest - scores[at + label];
    }
}
