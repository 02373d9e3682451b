/**
 * Interfaces to the bytes that a job keeps beyond memory (RocksDB in the job, memory in tests), and the writer and
 * reader of their numbers.
 */
@NullMarked
package io.cutwater.state.store;

import org.jspecify.annotations.NullMarked;
