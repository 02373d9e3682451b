package io.cutwater.deploy.doctor;

import com.sun.management.OperatingSystemMXBean;
import io.cutwater.deploy.cluster.ClusterSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Checks of this machine: Java, memory, disk and ports. */
public final class MachineChecks {
    private static final int OLDEST_JAVA = 17;
    private static final int NEWEST_JAVA = 21;
    /** A demo, and a local cluster with one TaskManager, peak below it. */
    private static final long MEMORY = 4L << 30;

    private static final long DISK = 5L << 30;

    private MachineChecks() {}

    /** Returns the finding about a version of Java. */
    static Finding java(int feature, String home) {
        String text = "Java %d in %s".formatted(feature, home);
        return feature < OLDEST_JAVA || feature > NEWEST_JAVA
                ? Finding.failed("Java", text, "use a JDK 17 to 21, and point JAVA_HOME at it")
                : Finding.ok("Java", text);
    }

    /** Returns the finding about an amount of memory in bytes. */
    static Finding memory(long bytes) {
        String text = gigabytes(bytes) + " of memory";
        return bytes < MEMORY
                ? Finding.warning(
                        "Memory",
                        text,
                        "the demo and a local cluster take up to %s together; use a larger machine, or --cache-size and --task-manager-memory"
                                .formatted(gigabytes(MEMORY)))
                : Finding.ok("Memory", text);
    }

    /** Returns the finding about free space in bytes of a folder. */
    static Finding disk(Path folder, long bytes) {
        String text = "%s free in %s".formatted(gigabytes(bytes), folder);
        return bytes < DISK
                ? Finding.warning(
                        "Disk", text, "free some, or name another folder with -Djava.io.tmpdir in CUTWATER_JAVA_OPTS")
                : Finding.ok("Disk", text);
    }

    /** Returns the findings about the ports of a local cluster that does not run. */
    public static List<Finding> ports(ClusterSettings settings) {
        Map<String, Integer> ports = new LinkedHashMap<>();
        ports.put("--broker-port", settings.brokerPort());
        ports.put("--controller-port", settings.controllerPort());
        ports.put("--flink-port", settings.flinkPort());
        ports.put("--jobmanager-port", settings.jobManagerPort());
        settings.metricsPort("jobmanager").ifPresent(port -> ports.put("--metrics-ports", port));
        List<Finding> findings = new ArrayList<>();
        ports.forEach((option, port) -> findings.add(
                isFree(port)
                        ? Finding.ok("Port", "%d is free for cluster start".formatted(port))
                        : Finding.warning(
                                "Port",
                                "%d is taken by another process".formatted(port),
                                "give cluster start another %s".formatted(option))));
        return findings;
    }

    private static boolean isFree(int port) {
        try (ServerSocket unused = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String gigabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f GiB", bytes / (double) (1L << 30));
    }

    /** Returns all findings about this machine but those about ports. */
    public static List<Finding> all() throws IOException {
        List<Finding> findings = new ArrayList<>();
        findings.add(java(Runtime.version().feature(), System.getProperty("java.home")));
        findings.add(
                memory(((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize()));
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        findings.add(
                Files.isWritable(temporary)
                        ? disk(temporary, Files.getFileStore(temporary).getUsableSpace())
                        : Finding.failed(
                                "Disk", temporary + " cannot be written", "name another with -Djava.io.tmpdir"));
        return findings;
    }
}
