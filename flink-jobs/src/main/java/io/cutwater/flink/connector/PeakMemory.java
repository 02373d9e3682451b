package io.cutwater.flink.connector;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The largest amount of memory that this process has held: heap, native memory of RocksDB and all. */
public final class PeakMemory {
    private static final Path STATUS = Path.of("/proc/self/status");

    private PeakMemory() {}

    /** Peak resident set on Linux; elsewhere the memory that the JVM has committed now, RocksDB's not counted. */
    public static long bytes() {
        try {
            List<String> lines = Files.readAllLines(STATUS);
            for (String line : lines) {
                if (line.startsWith("VmHWM:")) {
                    String kilobytes = line.substring("VmHWM:".length(), line.length() - "kB".length());
                    return Long.parseLong(kilobytes.strip()) * 1024;
                }
            }
        } catch (IOException e) {
            // No /proc on this system.
        }
        var memory = ManagementFactory.getMemoryMXBean();
        return memory.getHeapMemoryUsage().getCommitted()
                + memory.getNonHeapMemoryUsage().getCommitted();
    }
}
