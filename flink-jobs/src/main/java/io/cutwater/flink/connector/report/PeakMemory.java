package io.cutwater.flink.connector.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Measures the peak memory of this process: heap, native memory of RocksDB and everything else. */
public final class PeakMemory {
    private static final Path STATUS = Path.of("/proc/self/status");

    private PeakMemory() {}

    /**
     * Returns the peak resident set in bytes on Linux; elsewhere the memory that the JVM has committed now, without
     * RocksDB's.
     */
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
            // no /proc on this system
        }
        var memory = ManagementFactory.getMemoryMXBean();
        return memory.getHeapMemoryUsage().getCommitted()
                + memory.getNonHeapMemoryUsage().getCommitted();
    }
}
