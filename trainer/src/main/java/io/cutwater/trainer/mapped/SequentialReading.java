package io.cutwater.trainer.mapped;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads mapped files from beginning to end before they are read in random order, where they are not in memory: large
 * reads instead of one for each vertex. A process that trains several shards in turn, which do not fit into memory
 * together, so reads each of them once.
 */
public final class SequentialReading {
    private SequentialReading() {}

    /**
     * Reads the files of a folder, unless they are in memory or larger than it.
     *
     * @return bytes of the files, or parts of 1 GiB, that were not in memory
     */
    public static long of(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.sorted().toList();
        }
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(file);
        }
        return bytes > room() ? 0 : read(files);
    }

    private static long read(List<Path> files) throws IOException {
        long read = 0;
        for (Path file : files) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                for (MappedByteBuffer piece : Mapping.map(channel, FileChannel.MapMode.READ_ONLY, channel.size())) {
                    if (!piece.isLoaded()) {
                        piece.load();
                        read += piece.capacity();
                    }
                }
            }
        }
        return read;
    }

    /** Returns the memory of the machine or container that is not the Java heap's. */
    private static long room() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getTotalMemorySize() - Runtime.getRuntime().maxMemory();
    }
}
