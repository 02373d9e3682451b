package io.cutwater.state.graph;

import io.cutwater.state.text.VertexTexts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A few thousand edges in primitive columns, with the records rejected between them: the unit of work of the dataflow.
 * Hot loops read the columns, so no edge is an object.
 *
 * <p>Columns are longer than the batch; only the first {@link #size()} entries count. Weights and timestamps exist only
 * if the input has them; an edge without one has {@link Double#NaN} or {@link #NO_TIMESTAMP}. Places exist only if
 * edges were placed before they are emitted. A row that is a removal takes an edge away, or a vertex, which is both
 * ends of the row, with all its edges.
 *
 * <p>An edge may have a key, its id. In a batch of a source with keys every row has one: an edge replaces the edge with
 * its key, a removal takes that one away, or all edges, and the ends of a removal do not count. Once keys are resolved
 * ({@link io.cutwater.state.edges.EdgesByKey}), a removal has the ends and the key of the edge that it takes away.
 */
public final class EdgeBatch {
    /**
     * The usual number of edges in a batch: large enough to amortise a call, small enough for the processor's cache.
     */
    public static final int DEFAULT_CAPACITY = 4096;

    public static final long NO_TIMESTAMP = Long.MIN_VALUE;

    /** The key of an edge that has none. */
    public static final long NO_KEY = Long.MIN_VALUE;

    /** The place of an edge that has none yet. */
    public static final int NO_PLACE = -1;

    /** The place of an edge that was taken away before it was placed, and of the removal that did it. */
    public static final int TAKEN_AWAY = -2;

    private static final int[] NO_SLOTS = {};

    private int pass;
    private long progress;
    private int size;
    private long[] sources;
    private long[] targets;
    private final EdgeAttributes attributes;
    // False as long as no optional column exists: one test in the hot path of add.
    private boolean hasAttributes;
    private final List<RejectedRecord> rejected = new ArrayList<>(0);
    private final VertexTexts texts = new VertexTexts();
    private int[] slots = NO_SLOTS;

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
        attributes = new EdgeAttributes(capacity);
    }

    /** Appends an edge without weight and timestamp. */
    public void add(long source, long target) {
        int i = size;
        if (i == sources.length) {
            grow(i + 1);
        }
        sources[i] = source;
        targets[i] = target;
        if (hasAttributes) {
            attributes.add(i);
        }
        size = i + 1;
    }

    /** @param weight {@link Double#NaN} for none; @param timestamp {@link #NO_TIMESTAMP} for none */
    public void add(long source, long target, double weight, long timestamp) {
        add(source, target);
        if (!Double.isNaN(weight)) {
            setWeight(size - 1, weight);
        }
        if (timestamp != NO_TIMESTAMP) {
            setTimestamp(size - 1, timestamp);
        }
    }

    /** Gives edge {@code i} a weight; {@link Double#NaN} for none. */
    public void setWeight(int i, double weight) {
        hasAttributes = true;
        attributes.setWeight(i, size, weight);
    }

    /** Gives edge {@code i} a timestamp; {@link #NO_TIMESTAMP} for none. */
    public void setTimestamp(int i, long timestamp) {
        hasAttributes = true;
        attributes.setTimestamp(i, size, timestamp);
    }

    /** Gives edge {@code i} a place, at least 0, or {@link #NO_PLACE} or {@link #TAKEN_AWAY}. */
    public void setPlace(int i, int place) {
        hasAttributes = true;
        attributes.setPlace(i, size, place);
    }

    /** Marks row {@code i} as a removal: it takes an edge away, and adds none. */
    public void setRemoval(int i) {
        setRemoval(i, EdgeAttributes.OF_EDGE);
    }

    /** Marks row {@code i}, whose ends are one vertex, as the removal of this vertex with all its edges. */
    public void setVertexRemoval(int i) {
        setRemoval(i, EdgeAttributes.OF_VERTEX);
    }

    /** Marks row {@code i} of a batch with keys as the removal of all edges before it. */
    public void setRemovalOfAll(int i) {
        setRemoval(i, EdgeAttributes.OF_ALL);
    }

    private void setRemoval(int i, byte removal) {
        hasAttributes = true;
        attributes.setRemoval(i, removal);
    }

    /** Gives row {@code i} the key of its edge; {@link #NO_KEY} for none. */
    public void setKey(int i, long key) {
        hasAttributes = true;
        attributes.setKey(i, size, key);
    }

    /** Removes the edges without a place; the others keep their order, and all that they have. */
    public void removeUnplaced() {
        removePlaced(NO_PLACE);
    }

    /** Removes the edges that have this place; the others keep their order, and all that they have. */
    public void removePlaced(int place) {
        removePlaced(place, false);
    }

    /** Removes what was {@linkplain #TAKEN_AWAY taken away}, but no removals of vertices. */
    public void removeTakenAway() {
        removePlaced(TAKEN_AWAY, true);
    }

    private void removePlaced(int place, boolean keepsVertexRemovals) {
        if (!attributes.hasPlaces()) {
            size = place == NO_PLACE ? 0 : size;
            return;
        }
        slots = NO_SLOTS;
        int kept = 0;
        int text = 0;
        for (int i = 0; i < size; i++) {
            boolean isKept = attributes.place(i) != place || keepsVertexRemovals && isVertexRemoval(i);
            text = texts.move(text, i, kept, isKept);
            if (isKept) {
                sources[kept] = sources[i];
                targets[kept] = targets[i];
                attributes.move(i, kept);
                kept++;
            }
        }
        if (kept < size) {
            texts.move(text, size, kept, false);
            texts.records().clear();
        }
        size = kept;
        attributes.trimRemovals(kept);
    }

    /** Removes the last row. */
    public void removeLast() {
        attributes.trimRemovals(--size);
    }

    /** Forgets all places: the edges are still to be placed. */
    public void forgetPlaces() {
        attributes.forgetPlaces();
    }

    /** Appends an edge with all that may be known of it but its place; each may be none. */
    public void add(long source, long target, double weight, long timestamp, long key) {
        add(source, target, weight, timestamp);
        if (key != NO_KEY) {
            setKey(size - 1, key);
        }
    }

    /** Appends edge {@code i} of another batch with all that it has; texts stay behind. */
    public void addFrom(EdgeBatch other, int i) {
        add(other.sources[i], other.targets[i]);
        if (!other.hasAttributes) {
            return;
        }
        if (!Double.isNaN(other.weight(i))) {
            setWeight(size - 1, other.weight(i));
        }
        if (other.timestamp(i) != NO_TIMESTAMP) {
            setTimestamp(size - 1, other.timestamp(i));
        }
        if (other.hasPlaces()) {
            setPlace(size - 1, other.place(i));
        }
        if (other.isRemoval(i)) {
            setRemoval(size - 1, other.attributes.removal(i));
        }
        if (other.key(i) != NO_KEY) {
            setKey(size - 1, other.key(i));
        }
    }

    /** Appends all edges, texts and rejected records of another batch, and takes over its progress. */
    public void addAll(EdgeBatch other) {
        texts.addAll(other.texts, size);
        ensureCapacity(size + other.size);
        if (attributes.isEmpty() && other.attributes.isEmpty()) {
            System.arraycopy(other.sources, 0, sources, size, other.size);
            System.arraycopy(other.targets, 0, targets, size, other.size);
            size += other.size;
        } else {
            for (int i = 0; i < other.size; i++) {
                addFrom(other, i);
            }
        }
        if (!other.rejected.isEmpty()) {
            rejected.addAll(other.rejected); // copies an array even if there is none
        }
        progress = other.progress;
    }

    public void reject(RejectedRecord record) {
        rejected.add(record);
    }

    /** Empties the batch and keeps its columns' memory; all columns but the ends are forgotten. */
    public void clear() {
        size = 0;
        hasAttributes = false;
        attributes.clear(sources.length);
        rejected.clear();
        texts.clear();
        slots = NO_SLOTS;
    }

    /** Empties the batch, and takes over all of another one but its edges. */
    public void startLike(EdgeBatch other) {
        clear();
        pass = other.pass;
        progress = other.progress;
        rejected.addAll(other.rejected);
        texts.addAll(other.texts, 0);
    }

    /** Returns whether there is an edge, a text or a rejected record. */
    public boolean hasAny() {
        return size > 0 || !rejected.isEmpty() || texts.size() > 0;
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
        attributes.grow(capacity);
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

    /** Returns how much of the input was read, over all passes, when the batch was cut: file bytes or topic records. */
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

    /**
     * Returns where the table of the task that places the edges is expected to have their ends: the slots of source and
     * target of one edge after the other, or nothing. Hints that save a search; a table must check them.
     */
    public int[] slots() {
        return slots;
    }

    /** Takes over the {@link #slots} of all edges; no edge may be added any more. */
    public void setSlots(int[] slots) {
        this.slots = slots;
    }

    /** {@link Double#NaN} for none. */
    public double weight(int i) {
        return attributes.weight(i);
    }

    /** {@link #NO_TIMESTAMP} for none. */
    public long timestamp(int i) {
        return attributes.timestamp(i);
    }

    /**
     * Returns where the edge was placed: its partition or, in a vertex partitioning, the owners of both ends as
     * {@link Place} encodes them. {@link #NO_PLACE} for an edge that is not placed yet.
     */
    public int place(int i) {
        return attributes.place(i);
    }

    /** Returns the key of the edge in row {@code i}; {@link #NO_KEY} for none. */
    public long key(int i) {
        return attributes.key(i);
    }

    public boolean hasKeys() {
        return attributes.hasKeys();
    }

    public boolean hasWeights() {
        return attributes.hasWeights();
    }

    public boolean hasTimestamps() {
        return attributes.hasTimestamps();
    }

    /** Returns whether row {@code i} is a removal: of one copy of the edge, of a vertex, or of all edges. */
    public boolean isRemoval(int i) {
        return attributes.removal(i) != EdgeAttributes.NONE;
    }

    /** Returns whether row {@code i} is the removal of its source with all its edges. */
    public boolean isVertexRemoval(int i) {
        return attributes.removal(i) == EdgeAttributes.OF_VERTEX;
    }

    /** Returns whether row {@code i} is the removal of all edges. */
    public boolean isRemovalOfAll(int i) {
        return attributes.removal(i) == EdgeAttributes.OF_ALL;
    }

    public boolean hasRemovals() {
        return attributes.hasRemovals();
    }

    public boolean hasPlaces() {
        return attributes.hasPlaces();
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

    /** The texts of vertices that may be new, if ids are hashes of text. */
    public VertexTexts texts() {
        return texts;
    }
}
