package io.cutwater.trainer.journal.file;

/**
 * The part of a file that belongs to a {@link Position}: the first bytes of one of its generations.
 *
 * @param generation how often the file was written anew
 * @param bytes blocks, headers counted
 * @param rewritten bytes when it was written anew last
 */
public record Extent(int generation, long bytes, long rewritten) {
    static final Extent EMPTY = new Extent(0, 0, 0);
}
