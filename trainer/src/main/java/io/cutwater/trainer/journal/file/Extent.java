package io.cutwater.trainer.journal.file;

/**
 * The part of a file that belongs to a {@link Position}: the first bytes of one generation of the file.
 *
 * @param generation number of times that the file was compacted
 * @param bytes length, block headers included
 * @param rewritten length after the last compaction
 */
public record Extent(int generation, long bytes, long rewritten) {
    static final Extent EMPTY = new Extent(0, 0, 0);
}
