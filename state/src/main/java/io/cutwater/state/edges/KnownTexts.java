package io.cutwater.state.edges;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import io.cutwater.state.graph.VertexSlots;
import io.cutwater.state.store.VertexStore;
import io.cutwater.state.text.CheckCache;
import io.cutwater.state.text.VertexTexts;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The second hash of the text of each id, by which two texts with the same id are told apart: the first one has the id,
 * and edges with an end that is another one are rejected.
 *
 * <p>Batches come in their order from one decoder, which tells the text of an end where it begins: see
 * {@link VertexTexts}. The bytes of an id in the store: version (1 byte, = 1), second hash (8 bytes, big-endian).
 */
public final class KnownTexts {
    private static final byte VERSION = 1;
    private static final int STORED_BYTES = 1 + Long.BYTES;
    private static final byte[] NOTHING = {};

    private final VertexStore store;
    private final String origin;
    private final CheckCache cache;
    // The text for which an id stands at present, of ids that belong to another text.
    private final Map<Long, String> collisions = new HashMap<>();
    private long rejectedEdges;

    private boolean[] isNew = {};
    private boolean[] isRightful = {};

    /**
     * Creates the texts of a store.
     *
     * @param origin of the edges, for dead letters: the name of a topic
     * @param cacheBits ids whose second hash is in memory, as a power of 2
     */
    public KnownTexts(VertexStore store, String origin, int cacheBits) {
        this.store = store;
        this.origin = origin;
        cache = new CheckCache(cacheBits);
    }

    /**
     * Checks the texts of a batch.
     *
     * @param rows keeps of its texts those of vertices that were not known, and gets an empty one for each vertex that
     *     is removed with its text
     * @param spare is emptied; receives the rows that are left, if some are rejected
     * @return {@code rows} or {@code spare}
     */
    public EdgeBatch apply(EdgeBatch rows, EdgeBatch spare) {
        if (rows.hasRemovals() && removesVertices(rows)) {
            return applyInOrder(rows, spare);
        }
        VertexTexts texts = rows.texts();
        if (texts.size() == 0 && collisions.isEmpty()) {
            texts.records().clear();
            return rows;
        }
        boolean areRightful = learn(texts);
        if (areRightful && collisions.isEmpty()) {
            texts.retain(isNew);
            texts.records().clear();
            return rows;
        }
        spare.startLike(rows);
        int text = 0;
        for (int row = 0; row < rows.size(); row++) {
            text = pass(texts, text, VertexTexts.sourceOf(row));
            String wrong = wrong(rows, row, rows.source(row));
            text = pass(texts, text, VertexTexts.sourceOf(row) + 1);
            wrong = wrong == null ? wrong(rows, row, rows.target(row)) : wrong;
            if (wrong == null) {
                spare.addFrom(rows, row);
            } else {
                reject(wrong, rows, row, spare);
            }
        }
        pass(texts, text, Integer.MAX_VALUE);
        spare.texts().retain(isNew);
        spare.texts().records().clear();
        return spare;
    }

    private static boolean removesVertices(EdgeBatch rows) {
        for (int row = 0; row < rows.size(); row++) {
            if (rows.isVertexRemoval(row)) {
                return true;
            }
        }
        return false;
    }

    /** Like {@link #apply}, one text after the other: a removal frees an id, which a later text may take. */
    private EdgeBatch applyInOrder(EdgeBatch rows, EdgeBatch spare) {
        spare.startLike(rows);
        spare.texts().clear();
        int text = 0;
        for (int row = 0; row < rows.size(); row++) {
            text = begin(rows, text, VertexTexts.sourceOf(row), row, spare);
            String wrong = wrong(rows, row, rows.source(row));
            text = begin(rows, text, VertexTexts.sourceOf(row) + 1, row, spare);
            wrong = wrong == null ? wrong(rows, row, rows.target(row)) : wrong;
            if (wrong != null) {
                reject(wrong, rows, row, spare);
                continue;
            }
            spare.addFrom(rows, row);
            if (rows.isVertexRemoval(row)) {
                forget(rows.source(row), row, spare.texts());
            }
        }
        begin(rows, text, Integer.MAX_VALUE, rows.size(), spare);
        return spare;
    }

    /** Lets the texts up to a position begin, stores those that are new, and returns the first one after it. */
    private int begin(EdgeBatch rows, int from, int position, int row, EdgeBatch into) {
        VertexTexts texts = rows.texts();
        int i = from;
        for (; i < texts.size() && texts.position(i) <= position; i++) {
            long id = texts.id(i);
            long known = cache.has(id, texts.check(i)) ? texts.check(i) : check(id);
            boolean isOfRemoved = row < rows.size() && rows.isVertexRemoval(row) && rows.source(row) == id;
            if (known == CheckCache.UNKNOWN && !isOfRemoved) {
                store.write(new long[] {id}, new byte[][] {encode(texts.check(i))}, 1);
                cache.put(id, texts.check(i));
                into.texts().add(texts.position(i), id, texts.check(i), texts.bytes(), texts.from(i), texts.to(i));
            }
            if (known == CheckCache.UNKNOWN || known == texts.check(i)) {
                collisions.remove(id);
            } else {
                collisions.put(id, text(texts, i));
            }
        }
        return i;
    }

    private long check(long id) {
        byte[] stored = store.read(id);
        return stored == null ? CheckCache.UNKNOWN : decode(stored);
    }

    /** Frees the id of a vertex that is removed, if it has a text. */
    private void forget(long id, int row, VertexTexts into) {
        if (check(id) != CheckCache.UNKNOWN) {
            store.write(new long[] {id}, new byte[][] {null}, 1);
            cache.remove(id);
            into.add(VertexTexts.sourceOf(row), id, CheckCache.UNKNOWN, NOTHING, 0, 0);
        }
    }

    private static String text(VertexTexts texts, int i) {
        return new String(texts.bytes(), texts.from(i), texts.to(i) - texts.from(i), StandardCharsets.UTF_8);
    }

    /** Reads what is known of the ids, and stores what is new; returns whether every text has its id for itself. */
    private boolean learn(VertexTexts texts) {
        int count = texts.size();
        if (isNew.length < count) {
            isNew = new boolean[count];
            isRightful = new boolean[count];
        }
        VertexSlots slots = new VertexSlots(count);
        int[] slotOf = new int[count];
        Arrays.fill(slotOf, -1);
        for (int i = 0; i < count; i++) {
            isNew[i] = false;
            isRightful[i] = cache.has(texts.id(i), texts.check(i));
            if (!isRightful[i]) {
                slotOf[i] = slots.slot(texts.id(i));
            }
        }
        long[] ids = slots.vertices();
        return ids.length == 0 || learn(texts, ids, slotOf);
    }

    private boolean learn(VertexTexts texts, long[] ids, int[] slotOf) {
        byte[][] stored = new byte[ids.length][];
        store.read(ids, ids.length, stored);
        long[] checks = new long[ids.length];
        for (int slot = 0; slot < ids.length; slot++) {
            checks[slot] = stored[slot] == null ? CheckCache.UNKNOWN : decode(stored[slot]);
        }
        boolean areRightful = true;
        int created = 0;
        for (int i = 0; i < texts.size(); i++) {
            int slot = slotOf[i];
            if (slot < 0) {
                continue;
            }
            if (checks[slot] == CheckCache.UNKNOWN) {
                checks[slot] = texts.check(i);
                isNew[i] = true;
                ids[created] = texts.id(i); // slots are numbered in this order, so no later one is overwritten
                stored[created++] = encode(texts.check(i));
            }
            isRightful[i] = checks[slot] == texts.check(i);
            areRightful &= isRightful[i];
            cache.put(texts.id(i), checks[slot]);
        }
        if (created > 0) {
            store.write(ids, stored, created);
        }
        return areRightful;
    }

    /** Lets the texts up to a position begin; returns the first one after it. */
    private int pass(VertexTexts texts, int from, int position) {
        int i = from;
        while (i < texts.size() && texts.position(i) <= position) {
            if (isRightful[i]) {
                collisions.remove(texts.id(i));
            } else {
                collisions.put(texts.id(i), text(texts, i));
            }
            i++;
        }
        return i;
    }

    /** Returns the text of an end that does not belong to its id; null if the end is in order. */
    private @Nullable String wrong(EdgeBatch rows, int row, long id) {
        boolean hasEnds = !rows.hasKeys() || !rows.isRemoval(row) || rows.isVertexRemoval(row);
        return hasEnds ? collisions.get(id) : null;
    }

    private void reject(String text, EdgeBatch rows, int row, EdgeBatch into) {
        rejectedEdges++;
        String what = rows.isVertexRemoval(row)
                ? "removal of vertex %d".formatted(rows.source(row))
                : "%s %d → %d"
                        .formatted(rows.isRemoval(row) ? "removal of" : "edge", rows.source(row), rows.target(row));
        into.reject(new RejectedRecord(
                "vertex '%s' has the same 64-bit hash as another text, so the %s is left out; a new job with another --ids-seed has other hashes"
                        .formatted(text, what),
                origin,
                rows.texts().records().partitionOf(row),
                rows.texts().records().offsetOf(row),
                null,
                text.getBytes(StandardCharsets.UTF_8)));
    }

    private static byte[] encode(long check) {
        return ByteBuffer.allocate(STORED_BYTES).put(VERSION).putLong(check).array();
    }

    private static long decode(byte[] stored) {
        ByteBuffer in = ByteBuffer.wrap(stored);
        byte version = in.get();
        if (version != VERSION || stored.length != STORED_BYTES) {
            throw new IllegalStateException(
                    "the stored hash of a text has version %d and %d bytes; this build reads version %d"
                            .formatted(version, stored.length, VERSION));
        }
        return in.getLong();
    }

    /** Returns the number of rows that were rejected. */
    public long rejectedEdges() {
        return rejectedEdges;
    }
}
