package io.cutwater.kafka.event.mapped;

import io.cutwater.kafka.field.FieldEncoding;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Hashing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Reads the 64-bit key of an edge: the integer in a field, or the first 8 bytes, big-endian, of the SHA-256 of the text
 * in it (UTF-8) or of the record's key.
 */
final class EdgeKeyReader {
    private static final int RECORD_KEY = -1;

    private final MessageDigest sha256 = Hashing.sha256();
    private final FieldPath path;
    private final int ofEdge;
    private final int ofOld;

    // The fields of the record's key.
    private final @Nullable FieldReader reader;
    private final FieldValues values;
    private final int ofKey;

    private long key;

    /**
     * Creates a reader.
     *
     * @param tree takes the fields of the value
     * @param path of the field in the row that is there, or {@link FieldMapping#RECORD_KEY}
     * @param old path of the field in the row that is gone
     * @param inKey path of the field in the record's key
     * @param encoding of the record's key; null if records have none
     */
    private EdgeKeyReader(
            FieldTree tree, FieldPath path, FieldPath old, FieldPath inKey, @Nullable FieldEncoding encoding) {
        this.path = path;
        boolean isRecordKey = path.equals(FieldMapping.RECORD_KEY);
        ofEdge = isRecordKey ? RECORD_KEY : tree.add(path);
        ofOld = isRecordKey ? RECORD_KEY : tree.add(old);
        FieldTree keyTree = new FieldTree();
        ofKey = keyTree.add(inKey);
        reader = isRecordKey || encoding == null ? null : encoding.keys(keyTree);
        values = new FieldValues(keyTree);
    }

    /** Creates a reader for rows without an envelope; null if edges have no keys. */
    static @Nullable EdgeKeyReader ofRows(FieldTree tree, FieldMapping mapping, FieldEncoding encoding) {
        FieldPath path = mapping.edgeKey();
        return path == null ? null : new EdgeKeyReader(tree, path, path, path, encoding);
    }

    /** Creates a reader for rows of files; null if edges have no keys. */
    static @Nullable EdgeKeyReader ofFiles(FieldTree tree, FieldMapping mapping) {
        FieldPath path = mapping.edgeKey();
        return path == null ? null : new EdgeKeyReader(tree, path, path, path, null);
    }

    /** Creates a reader for Debezium's envelopes; null if edges have no keys. */
    static @Nullable EdgeKeyReader ofEnvelopes(FieldTree tree, FieldMapping mapping, FieldEncoding encoding) {
        FieldPath path = mapping.edgeKey();
        if (path == null || path.equals(FieldMapping.RECORD_KEY)) {
            return ofRows(tree, mapping, encoding);
        }
        return new EdgeKeyReader(tree, path, path.in(ChangeEventDecoder.BEFORE), path.within(), encoding);
    }

    /** Returns whether the record's key, whatever it holds, is the key of the edge. */
    boolean isRecordKey() {
        return ofEdge == RECORD_KEY;
    }

    /**
     * Appends the edge of a row, whose ends have no problem, with its key.
     *
     * @return null, or why there is none
     */
    @Nullable String add(byte @Nullable [] recordKey, EdgeFields edge, FieldValues row, EdgeBatch into) {
        String reason = isRecordKey() ? readRecordKey(recordKey) : read(ofEdge, row);
        if (reason == null) {
            edge.add(row, into);
            into.setKey(into.size() - 1, key);
        }
        return reason;
    }

    /**
     * Appends the edge of a changed row, whose ends have no problem; before it the removal of the old edge, if the row
     * that is gone is there and its edge has another key.
     *
     * @return null, or why there is none
     */
    @Nullable String replace(byte @Nullable [] recordKey, EdgeFields edge, FieldValues row, EdgeBatch into) {
        if (!isRecordKey() && row.has(ofOld) && read(ofOld, row) == null) {
            long old = key;
            if (read(ofEdge, row) == null && key != old) {
                remove(old, into);
            }
        }
        return add(recordKey, edge, row, into);
    }

    private static void remove(long key, EdgeBatch into) {
        into.add(0, 0);
        into.setRemoval(into.size() - 1);
        into.setKey(into.size() - 1, key);
    }

    /**
     * Appends the removal of the edge of a row that is gone.
     *
     * @param row the fields of the value; null if the record has none
     * @return null, or why there is none
     */
    @Nullable String remove(byte @Nullable [] recordKey, Headers headers, @Nullable FieldValues row, EdgeBatch into) {
        String reason = isRecordKey()
                ? readRecordKey(recordKey)
                : row != null && isLogged(recordKey, row) ? read(ofOld, row) : readInKey(recordKey, headers);
        if (reason == null) {
            remove(key, into);
        }
        return reason;
    }

    /**
     * Returns whether the field is in the row that is gone, and Debezium has not filled it in: {@link ChangedEdgeKey}.
     */
    private boolean isLogged(byte @Nullable [] recordKey, FieldValues row) {
        return row.has(ofOld) && (recordKey == null || !row.isBlank(ofOld));
    }

    private @Nullable String readRecordKey(byte @Nullable [] recordKey) {
        if (recordKey == null) {
            return "the record has no key, from which --edge-key %s takes the key of the edge"
                    .formatted(FieldMapping.RECORD_KEY);
        }
        key = hash(recordKey);
        return null;
    }

    private @Nullable String readInKey(byte @Nullable [] recordKey, Headers headers) {
        String reason = recordKey == null
                ? "it has none"
                : reader == null ? "its fields are not known" : reader.read(recordKey, 0, headers, values);
        if (reason == null) {
            reason = read(ofKey, values);
        }
        return reason == null
                ? null
                : "the record removes an edge whose key is not in its value (--edge-key %s) and not in its key: %s"
                        .formatted(path, reason);
    }

    private @Nullable String read(int field, FieldValues row) {
        String reason = row.integerProblem(field);
        String text = row.kind(field) == FieldValues.Kind.TEXT ? row.text(field) : null;
        // 7 and 007 are two texts, so only one of them has the key 7.
        if (reason == null && (text == null || text.equals(Long.toString(row.integer(field))))) {
            key = row.integer(field);
            return key == EdgeBatch.NO_KEY ? "key %d stands for none; use another one".formatted(key) : null;
        } else if (text != null) {
            key = hash(text.getBytes(StandardCharsets.UTF_8));
            return null;
        }
        return reason;
    }

    private long hash(byte[] bytes) {
        long hash = ByteBuffer.wrap(sha256.digest(bytes)).getLong();
        return hash == EdgeBatch.NO_KEY ? 0 : hash;
    }
}
