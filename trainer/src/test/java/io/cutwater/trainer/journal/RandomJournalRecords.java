package io.cutwater.trainer.journal;

import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Generates random changes of a graph. */
final class RandomJournalRecords {
    private final SplittableRandom random;
    private final JournalRecords records;
    private final List<int[]> edges = new ArrayList<>();

    RandomJournalRecords(SplittableRandom random, JournalRecords records) {
        this.random = random;
        this.records = records;
    }

    void step() {
        int choice = random.nextInt(10);
        int vertex = random.nextInt(15) - 4;
        if (choice < 4) {
            int[] edge = {vertex, random.nextInt(15), random.nextBoolean() ? EdgeBatch.NO_PLACE : JournalRecords.SHARD};
            edges.add(edge);
            records.add(true, edge[0], edge[1], edge[2]);
        } else if (choice < 7 && !edges.isEmpty()) {
            int[] edge = edges.remove(random.nextInt(edges.size()));
            records.add(false, edge[0], edge[1], edge[2]);
        } else if (choice < 9) {
            records.data(vertex, random.nextInt(-1, 5), 0, random.nextInt(3), random.nextInt(2) * 0.5f, 0, 0, 0);
        } else {
            records.gone(vertex);
        }
    }
}
