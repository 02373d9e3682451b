package io.cutwater.deploy.cli.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** 600 vertices in 3 classes that keep to themselves, and 3000 edges, as files; the last two vertices have no edge. */
public final class ClassedGraph {
    static final int VERTICES = 600;
    public static final int EDGES = 3000;
    private static final int CLASSES = 3;

    final int[] classes = new int[VERTICES];
    final List<String> edges = new ArrayList<>();

    public ClassedGraph(Path folder) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder features = new StringBuilder();
        StringBuilder labels = new StringBuilder();
        StringBuilder split = new StringBuilder();
        for (int vertex = 0; vertex < VERTICES; vertex++) {
            classes[vertex] = random.nextInt(CLASSES);
            labels.append(classes[vertex]).append('\n');
            split.append(List.of("train", "val", "test", "test").get(vertex % 4))
                    .append('\n');
            features.append(classes[vertex])
                    .append(' ')
                    .append(random.nextInt(3) == 0 ? 1 + random.nextInt(CLASSES) : classes[vertex] + 1)
                    .append(":1 4:0.5\n");
        }
        while (edges.size() < EDGES) {
            int source = random.nextInt(VERTICES - 2);
            int target = random.nextInt(VERTICES - 2);
            if (classes[source] == classes[target] || random.nextInt(10) == 0) {
                edges.add(source + " " + target);
            }
        }
        Files.write(folder.resolve("edges.txt"), edges);
        Files.writeString(folder.resolve("features.svm"), features);
        Files.writeString(folder.resolve("labels.txt"), labels);
        Files.writeString(folder.resolve("split.txt"), split);
    }

    /** Edges of the first ones that are no self-loops. */
    long properEdges(int first) {
        return edges.subList(0, first).stream()
                .map(edge -> edge.split(" "))
                .filter(ends -> !ends[0].equals(ends[1]))
                .count();
    }
}
