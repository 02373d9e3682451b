package io.cutwater.state.graph;

import java.util.SplittableRandom;

/** Small ugly graphs: hubs, self-loops, duplicates both ways round, negative ids and ids at the ends of the range. */
public final class RandomGraphs {
    private RandomGraphs() {}

    /** A graph of up to 600 edges between up to 200 vertices; one seed in eight gives fewer than 4 edges. */
    public static EdgeBatch graph(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int edges = seed % 8 == 0 ? random.nextInt(4) : random.nextInt(4, 600);
        long[] ids = new long[random.nextInt(1, 200)];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = anyId(random, i);
        }
        double skew = 1 + 3 * random.nextDouble();
        EdgeBatch graph = new EdgeBatch();
        for (int i = 0; i < edges; i++) {
            if (i > 0 && random.nextInt(10) == 0) {
                int earlier = random.nextInt(i);
                boolean turned = random.nextBoolean();
                graph.add(
                        turned ? graph.target(earlier) : graph.source(earlier),
                        turned ? graph.source(earlier) : graph.target(earlier));
            } else {
                graph.add(skewed(ids, random, skew), skewed(ids, random, skew));
            }
        }
        return graph;
    }

    private static long anyId(SplittableRandom random, int i) {
        return switch (random.nextInt(5)) {
            case 0 -> Long.MAX_VALUE - i;
            case 1 -> Long.MIN_VALUE + i;
            case 2 -> -i;
            case 3 -> random.nextLong();
            default -> i;
        };
    }

    private static long skewed(long[] ids, SplittableRandom random, double skew) {
        return ids[(int) (ids.length * Math.pow(random.nextDouble(), skew))];
    }
}
