package io.cutwater.state.feedback;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import io.cutwater.state.table.RecordExchange;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Numbers batches, deals them out to the assigners in turn, and asks for the views of their vertices. There is one of
 * it, so that every bucket is asked in the order of the batches: with one assigner the result is then that of a single
 * table, however slow the loop.
 */
public final class LookupMaker {
    private final int buckets;
    private final int assigners;
    private final int placingPass;
    private final Lookup lookup = new Lookup();
    private final VertexTable distinct = new VertexTable(new VertexLayout(1, false));
    private final int[] starts;
    private int[] bucketOf = new int[0];
    private int[] byBucket = new int[0];
    private final long run;
    private long lastNumber;

    /**
     * @param placingPass the first pass whose edges are placed
     * @param run random, and another one in every attempt of the job
     */
    public LookupMaker(int buckets, int assigners, int placingPass, long run) {
        this.buckets = buckets;
        this.assigners = assigners;
        this.placingPass = placingPass;
        this.run = run;
        starts = new int[buckets + 1];
    }

    /**
     * Asks for the vertices of a batch.
     *
     * @param lookups receives one lookup for each bucket and must be done with it when it returns
     * @return the batch with its number, and how many answers its assigner has to wait for: none in a preparation pass
     */
    public NumberedBatch ask(EdgeBatch batch, Consumer<Lookup> lookups) {
        long number = ++lastNumber;
        int assigner = (int) (number % assigners);
        count(batch);
        sortByBucket();
        int asked = 0;
        for (int bucket = 0; bucket < buckets; bucket++) {
            if (starts[bucket] < starts[bucket + 1]) {
                lookup.reset(number, assigner, batch.pass(), bucket);
                for (int i = starts[bucket]; i < starts[bucket + 1]; i++) {
                    int slot = byBucket[i];
                    lookup.add(distinct.vertex(slot), (int) distinct.degree(slot));
                }
                lookups.accept(lookup);
                asked++;
            }
        }
        return new NumberedBatch(run, number, assigner, batch.pass() < placingPass ? 0 : asked, batch);
    }

    private void count(EdgeBatch batch) {
        RecordExchange.clear(distinct);
        for (int i = 0; i < batch.size(); i++) {
            distinct.countEdge(distinct.slot(batch.source(i)));
            distinct.countEdge(distinct.slot(batch.target(i)));
        }
    }

    /** A counting sort of the slots; {@code starts[b]} is where bucket b begins. */
    private void sortByBucket() {
        int size = distinct.size();
        if (bucketOf.length < size) {
            bucketOf = new int[size + (size >> 1)];
            byBucket = new int[bucketOf.length];
        }
        Arrays.fill(starts, 0);
        for (int slot = 0; slot < size; slot++) {
            bucketOf[slot] = Hashing.bucket(distinct.vertex(slot), buckets);
            starts[bucketOf[slot] + 1]++;
        }
        for (int bucket = 0; bucket < buckets; bucket++) {
            starts[bucket + 1] += starts[bucket];
        }
        for (int slot = size - 1; slot >= 0; slot--) {
            // Filled from the end, each bound moves down to where its bucket begins.
            byBucket[--starts[bucketOf[slot] + 1]] = slot;
        }
        System.arraycopy(starts, 1, starts, 0, buckets);
        starts[buckets] = size;
    }
}
