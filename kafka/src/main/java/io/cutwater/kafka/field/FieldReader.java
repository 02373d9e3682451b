package io.cutwater.kafka.field;

import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Reads the fields of records of one format. Not thread-safe: use one reader per thread. */
@FunctionalInterface
public interface FieldReader {
    /**
     * Reads the fields of a record. Never throws because of its bytes.
     *
     * @param offset of the first byte; the last one ends the record
     * @param headers of the record, which may name its schema
     * @param into of the reader's tree; it is cleared first
     * @return why the record cannot be read, as a sentence; null if it was read
     */
    @Nullable String read(byte[] record, int offset, Headers headers, FieldValues into);
}
