package io.cutwater.trainer.mapped;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads mapped files from beginning to end before they are read in random order, where they are not in memory: large
 * reads instead of one for each vertex. A process that trains several shards in turn, which do not fit into memory
 * together, so reads each of them once.
 */
public final class SequentialReading {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ANONYMOUS = "RssAnon:";

    private SequentialReading() {}

    /**
     * Reads the files that this process has created in a folder, unless they are in memory or larger than it.
     *
     * @return bytes of the files, or parts of 1 GiB, that were not in memory
     */
    public static long of(Path folder) {
        List<MappedByteBuffer> pieces = Mapping.created(folder);
        long read = 0;
        if (bytes(pieces) <= room()) {
            // Through the same mapping as later reads: pages with a second one cannot be freed.
            for (MappedByteBuffer piece : pieces) {
                if (!piece.isLoaded()) {
                    piece.load();
                    read += piece.capacity();
                }
            }
        }
        return read;
    }

    private static long bytes(List<MappedByteBuffer> pieces) {
        return pieces.stream().mapToLong(MappedByteBuffer::capacity).sum();
    }

    /**
     * Frees the memory of the files that this process has created in a folder, until they are read again, if all its
     * files together are larger than the memory. Otherwise those that are read next would take memory from each other,
     * because the system frees what was read once before what was read often.
     *
     * @return bytes of the files, or parts of 1 GiB, that were freed
     */
    public static long free(Path folder) {
        long freed = 0;
        if (bytes(Mapping.created(null)) > room()) {
            for (MappedByteBuffer piece : Mapping.created(folder)) {
                freed += Pages.free(piece) ? piece.capacity() : 0;
            }
        }
        return freed;
    }

    /** Returns the memory of the machine or container beside the Java heap and what PyTorch and buffers have. */
    private static long room() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Runtime java = Runtime.getRuntime();
        long taken = Math.max(anonymous() + java.maxMemory() - java.totalMemory(), java.maxMemory());
        return system.getTotalMemorySize() - taken;
    }

    /** Returns the memory of this process that is not that of files; 0 if it is unknown. */
    private static long anonymous() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith(ANONYMOUS))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        } catch (IOException | UncheckedIOException e) {
            return 0; // another system than Linux
        }
    }
}
