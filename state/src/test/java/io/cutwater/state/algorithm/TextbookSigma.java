package io.cutwater.state.algorithm;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** SIGMA's two passes, every set of copies a set. */
final class TextbookSigma {
    private final TextbookVertexPartitioning book;

    TextbookSigma(TextbookVertexPartitioning book) {
        this.book = book;
    }

    /** @param clusterPartitions the partition of each vertex's cluster */
    int[] place(int[] clusterPartitions) {
        double maxVertices = Math.ceil(1.03 * book.n / book.k);
        double maxVolume = Math.ceil(1.10 * (2.0 * book.m + book.n) / book.k);
        Map<Integer, Set<Integer>> copies = new HashMap<>();
        for (int v = 0; v < book.n; v++) {
            int p = clusterPartitions[v];
            boolean allThere = book.neighbours(v).stream().allMatch(w -> book.places.getOrDefault(w, p) == p);
            if (allThere && book.sizes[p] + 1 <= maxVertices && volume(p) + book.degree(v) + 1 <= maxVolume) {
                book.put(v, p);
                copy(v, p, copies);
            }
        }
        double least = IntStream.range(0, book.k)
                .mapToDouble(p -> Math.max(book.sizes[p] / maxVertices, volume(p) / maxVolume))
                .max()
                .orElseThrow();
        double leastSigma = Math.max(0.9, least);
        for (int v = 0; v < book.n; v++) {
            if (!book.places.containsKey(v)) {
                double sigma = leastSigma + (1 - leastSigma) * Math.sqrt((v + 1) / (double) book.n);
                int p = sigmaBest(v, sigma, maxVertices, maxVolume, copies);
                book.put(v, p);
                copy(v, p, copies);
            }
        }
        return IntStream.range(0, book.n).map(book.places::get).toArray();
    }

    private int sigmaBest(
            int v, double sigma, double maxVertices, double maxVolume, Map<Integer, Set<Integer>> copies) {
        int best = -1;
        double bestScore = Double.NEGATIVE_INFINITY;
        for (int p = 0; p < book.k; p++) {
            if (book.sizes[p] + 1 <= sigma * maxVertices && volume(p) + book.degree(v) + 1 <= sigma * maxVolume) {
                double load = Math.max(book.sizes[p] / maxVertices, volume(p) / maxVolume);
                double made = 0;
                Set<Integer> elsewhere = new HashSet<>();
                for (int w : book.neighbours(v)) {
                    if (book.places.containsKey(w)) {
                        made += copies.get(w).contains(p) ? 0 : 1;
                        elsewhere.add(book.places.get(w));
                    }
                }
                elsewhere.remove(p);
                elsewhere.removeAll(copies.getOrDefault(v, Set.of()));
                made += elsewhere.size();
                double score = book.edgesTo(v, p) / Math.max(1, book.degree(v))
                        - Math.pow(load, 2.5 - 1.1)
                        - 0.5 * made / (book.degree(v) + book.k);
                if (score > bestScore) {
                    best = p;
                    bestScore = score;
                }
            }
        }
        return best >= 0
                ? best
                : book.best(
                        p -> -Math.max((book.sizes[p] + 1) / maxVertices, (volume(p) + book.degree(v) + 1) / maxVolume),
                        p -> 0);
    }

    private double volume(int p) {
        return book.volumes[p] + book.sizes[p];
    }

    private void copy(int v, int p, Map<Integer, Set<Integer>> copies) {
        copies.computeIfAbsent(v, x -> new HashSet<>()).add(p);
        for (int w : book.neighbours(v)) {
            if (book.places.containsKey(w)) {
                copies.get(v).add(book.places.get(w));
                copies.get(w).add(p);
            }
        }
    }
}
