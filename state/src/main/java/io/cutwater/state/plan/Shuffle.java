package io.cutwater.state.plan;

import java.util.Arrays;
import java.util.SplittableRandom;

/** All clusters in an order that changes. */
final class Shuffle {
    private final int[] order;

    Shuffle(int clusterCount) {
        order = new int[clusterCount];
        Arrays.setAll(order, c -> c);
    }

    /** A new order (Fisher and Yates); the array itself, which the next call changes. */
    int[] next(SplittableRandom random) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int cluster = order[i];
            order[i] = order[j];
            order[j] = cluster;
        }
        return order;
    }
}
