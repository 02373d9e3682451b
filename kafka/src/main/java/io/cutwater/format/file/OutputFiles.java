package io.cutwater.format.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The files of one output folder and the checksums of the finished ones. Thread-safe. */
public final class OutputFiles {
    private final Path root;
    private final String runId;
    private final ConcurrentSkipListMap<String, String> sums = new ConcurrentSkipListMap<>();

    public OutputFiles(Path root, String runId) {
        this.root = root;
        this.runId = runId;
    }

    /** @param name path within the folder, with slashes */
    public HashedFile create(String name) throws IOException {
        Path file = root.resolve(name);
        Path folder = FileOperations.parent(file);
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
        }
        return new HashedFile(file, sum -> sums.put(name, sum));
    }

    /** Returns where a file is, to read it when it has been closed. */
    public Path path(String name) {
        return root.resolve(name);
    }

    public String runId() {
        return runId;
    }

    /** Returns the SHA-256 of each closed file, by name. */
    public SortedMap<String, String> sums() {
        return Collections.unmodifiableSortedMap(sums);
    }

    public static String shard(int shard) {
        return "shards/%05d/".formatted(shard);
    }
}
