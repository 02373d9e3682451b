package io.cutwater.state.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A few thousand edges in primitive columns, with what was rejected between them: the unit of work of the whole
 * dataflow. Nothing in the hot path is one object per edge.
 *
 * <p>Columns are longer than the batch; only the first {@link #size()} entries count. The weight and timestamp columns
 * are there only when the input has them; an edge without one in such a batch has {@link Double#NaN} or
 * {@link #NO_TIMESTAMP}. Likewise the column of places, which only edges have that were placed before they are emitted,
 * and the column of removals: a row that is one takes an edge away.
 */
public final class EdgeBatch {
    /**
     * The usual number of edges in a batch: large enough to amortise a call, small enough for the processor's cache.
     */
    public static final int DEFAULT_CAPACITY = 4096;

    public static final long NO_TIMESTAMP = Long.MIN_VALUE;

    /** The place of an edge that has none yet. */
    public static final int NO_PLACE = -1;

    /** The place of an edge that was taken away before it was placed, and of the removal that did it. */
    public static final int TAKEN_AWAY = -2;

    private int pass;
    private long progress;
    private int size;
    private long[] sources;
    private long[] targets;
    private double @Nullable [] weights;
    private long @Nullable [] timestamps;
    private int @Nullable [] places;
    private boolean @Nullable [] removals;
    private final List<RejectedRecord> rejected = new ArrayList<>(0);

    public EdgeBatch() {
        this(DEFAULT_CAPACITY);
    }

    /** @param capacity edges it holds before its columns grow, at least 1 */
    public EdgeBatch(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be at least 1: " + capacity);
        }
        sources = new long[capacity];
        targets = new long[capacity];
    }

    /** Appends an edge without weight and timestamp. */
    public void add(long source, long target) {
        if (weights != null || timestamps != null) {
            add(source, target, Double.NaN, NO_TIMESTAMP);
            return;
        }
        int i = size;
        if (i == sources.length) {
            grow(i + 1);
        }
        sources[i] = source;
        targets[i] = target;
        if (places != null) {
            places[i] = NO_PLACE;
        }
        if (removals != null) {
            removals[i] = false;
        }
        size = i + 1;
    }

    /** @param weight {@link Double#NaN} for none; @param timestamp {@link #NO_TIMESTAMP} for none */
    public void add(long source, long target, double weight, long timestamp) {
        int i = size;
        if (i == sources.length) {
            grow(i + 1);
        }
        if (weights == null && !Double.isNaN(weight)) {
            weights = new double[sources.length];
            Arrays.fill(weights, 0, i, Double.NaN);
        }
        if (timestamps == null && timestamp != NO_TIMESTAMP) {
            timestamps = new long[sources.length];
            Arrays.fill(timestamps, 0, i, NO_TIMESTAMP);
        }
        sources[i] = source;
        targets[i] = target;
        if (weights != null) {
            weights[i] = weight;
        }
        if (timestamps != null) {
            timestamps[i] = timestamp;
        }
        if (places != null) {
            places[i] = NO_PLACE;
        }
        if (removals != null) {
            removals[i] = false;
        }
        size = i + 1;
    }

    /** Gives edge {@code i} a weight; {@link Double#NaN} for none. */
    public void setWeight(int i, double weight) {
        if (weights == null) {
            weights = new double[sources.length];
            Arrays.fill(weights, 0, size, Double.NaN);
        }
        weights[i] = weight;
    }

    /** Gives edge {@code i} a timestamp; {@link #NO_TIMESTAMP} for none. */
    public void setTimestamp(int i, long timestamp) {
        if (timestamps == null) {
            timestamps = new long[sources.length];
            Arrays.fill(timestamps, 0, size, NO_TIMESTAMP);
        }
        timestamps[i] = timestamp;
    }

    /** Gives edge {@code i} a place, at least 0, or {@link #NO_PLACE} or {@link #TAKEN_AWAY}. */
    public void setPlace(int i, int place) {
        if (places == null) {
            places = new int[sources.length];
            Arrays.fill(places, 0, size, NO_PLACE);
        }
        places[i] = place;
    }

    /** Says that row {@code i} takes an edge away, and adds none. */
    public void setRemoval(int i) {
        if (removals == null) {
            removals = new boolean[sources.length];
        }
        removals[i] = true;
    }

    /** Removes the edges without a place; the others keep their order, and all that they have. */
    public void removeUnplaced() {
        removePlaced(NO_PLACE);
    }

    /** Removes the edges that have this place; the others keep their order, and all that they have. */
    public void removePlaced(int place) {
        if (places == null) {
            size = place == NO_PLACE ? 0 : size;
            return;
        }
        int kept = 0;
        boolean keepsRemovals = false;
        for (int i = 0; i < size; i++) {
            if (places[i] != place) {
                sources[kept] = sources[i];
                targets[kept] = targets[i];
                places[kept] = places[i];
                if (weights != null) {
                    weights[kept] = weights[i];
                }
                if (timestamps != null) {
                    timestamps[kept] = timestamps[i];
                }
                if (removals != null) {
                    removals[kept] = removals[i];
                    keepsRemovals |= removals[i];
                }
                kept++;
            }
        }
        size = kept;
        if (!keepsRemovals) {
            removals = null;
        }
    }

    /** Forgets all places: the edges are still to be placed. */
    public void forgetPlaces() {
        places = null;
    }

    /** Appends edge {@code i} of another batch with all that it has. */
    public void addFrom(EdgeBatch other, int i) {
        if (other.weights == null && other.timestamps == null) {
            add(other.sources[i], other.targets[i]);
        } else {
            add(other.sources[i], other.targets[i], other.weight(i), other.timestamp(i));
        }
        if (other.places != null) {
            setPlace(size - 1, other.places[i]);
        }
        if (other.isRemoval(i)) {
            setRemoval(size - 1);
        }
    }

    /** Appends all edges and rejected records of another batch, and takes over its progress. */
    public void addAll(EdgeBatch other) {
        ensureCapacity(size + other.size);
        if (isPlain() && other.isPlain()) {
            System.arraycopy(other.sources, 0, sources, size, other.size);
            System.arraycopy(other.targets, 0, targets, size, other.size);
            size += other.size;
        } else {
            for (int i = 0; i < other.size; i++) {
                addFrom(other, i);
            }
        }
        rejected.addAll(other.rejected);
        progress = other.progress;
    }

    private boolean isPlain() {
        return weights == null && timestamps == null && places == null && removals == null;
    }

    public void reject(RejectedRecord record) {
        rejected.add(record);
    }

    /** Empties the batch and keeps its columns' memory; weights, timestamps, places and removals are forgotten. */
    public void clear() {
        size = 0;
        weights = null;
        timestamps = null;
        places = null;
        removals = null;
        rejected.clear();
    }

    public void ensureCapacity(int capacity) {
        if (capacity > sources.length) {
            grow(capacity);
        }
    }

    private void grow(int needed) {
        int capacity = Math.max(needed, Math.addExact(sources.length, sources.length >> 1));
        sources = Arrays.copyOf(sources, capacity);
        targets = Arrays.copyOf(targets, capacity);
        if (weights != null) {
            weights = Arrays.copyOf(weights, capacity);
        }
        if (timestamps != null) {
            timestamps = Arrays.copyOf(timestamps, capacity);
        }
        if (places != null) {
            places = Arrays.copyOf(places, capacity);
        }
        if (removals != null) {
            removals = Arrays.copyOf(removals, capacity);
        }
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /** Number of the pass over the input that this batch belongs to, from 0. */
    public int pass() {
        return pass;
    }

    public EdgeBatch setPass(int pass) {
        this.pass = pass;
        return this;
    }

    /**
     * How much of the input, over all passes, was read when the batch was cut: bytes of files or records of a topic.
     */
    public long progress() {
        return progress;
    }

    public EdgeBatch setProgress(long progress) {
        this.progress = progress;
        return this;
    }

    public long source(int i) {
        return sources[i];
    }

    public long target(int i) {
        return targets[i];
    }

    /** {@link Double#NaN} for none. */
    public double weight(int i) {
        return weights == null ? Double.NaN : weights[i];
    }

    /** {@link #NO_TIMESTAMP} for none. */
    public long timestamp(int i) {
        return timestamps == null ? NO_TIMESTAMP : timestamps[i];
    }

    /**
     * Where the edge was placed in passes over the whole input: its partition; of a vertex partitioning the owners of
     * both its ends, as {@link OwnerPair} has them. {@link #NO_PLACE} for an edge that is still to be placed.
     */
    public int place(int i) {
        return places == null ? NO_PLACE : places[i];
    }

    public boolean hasWeights() {
        return weights != null;
    }

    public boolean hasTimestamps() {
        return timestamps != null;
    }

    /** Whether row {@code i} takes an edge away: one copy of it, if there is one. */
    public boolean isRemoval(int i) {
        return removals != null && removals[i];
    }

    public boolean hasRemovals() {
        return removals != null;
    }

    public boolean hasPlaces() {
        return places != null;
    }

    /** The column itself, for loops; only the first {@link #size()} entries count. */
    public long[] sources() {
        return sources;
    }

    /** The column itself, for loops; only the first {@link #size()} entries count. */
    public long[] targets() {
        return targets;
    }

    public List<RejectedRecord> rejected() {
        return rejected;
    }
}
