package io.cutwater.state.bulk;

import com.sun.management.OperatingSystemMXBean;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.synthetic.SyntheticGraph;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * The figures of a bulk run in the benchmarks page: CPU time of each pass and peak memory of the process.
 *
 * <pre>
 *   java -Xmx128m -cp … io.cutwater.state.bulk.BulkRunFigures GRAPH KIND ALGORITHM K SCRATCH [SETTING=VALUE…]
 * </pre>
 *
 * GRAPH is a gzipped file of lines "source target", or {@code rmat:SCALE:EDGES}.
 */
final class BulkRunFigures {
    private static final double NANOS = 1e9;

    private final long edges;
    private String pass = "";
    private String step = "";
    private long stepAt;

    private BulkRunFigures(long edges) {
        this.edges = edges;
        stepAt = cpuNanos();
    }

    public static void main(String[] args) throws Exception {
        String graph = args[0];
        Map<String, String> settings = new TreeMap<>();
        for (int i = 5; i < args.length; i++) {
            settings.put(args[i].split("=")[0], args[i].split("=")[1]);
        }
        PartitioningKind kind = PartitioningKind.valueOf(args[1].toUpperCase(Locale.ROOT));
        PartitionerOptions options =
                new PartitionerOptions(kind, args[2], Integer.parseInt(args[3]), 16, PassMode.BULK, settings);
        long startedAt = System.nanoTime();
        try (BulkRun run = BulkRun.create(new BulkRequest(options, null), Path.of(args[4]))) {
            long readAt = cpuNanos();
            read(graph, run::add);
            BulkRunFigures figures = new BulkRunFigures(run.edgeCount());
            figures.line("read, number, write", figures.stepAt - readAt);
            run.place(figures::passed);
            figures.passed("end", 1);
            System.out.printf(
                    Locale.ROOT,
                    "%d edges, %.1f s wall, %.1f s CPU, peak RSS %s%n",
                    run.edgeCount(),
                    (System.nanoTime() - startedAt) / NANOS,
                    ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                                    .getProcessCpuTime()
                            / NANOS,
                    peak());
        }
    }

    /** Takes batches. */
    private interface Receiver {
        void add(EdgeBatch batch) throws IOException;
    }

    private static void read(String graph, Receiver receiver) throws IOException {
        EdgeBatch batch = new EdgeBatch();
        if (graph.startsWith("rmat:")) {
            String[] parts = graph.split(":");
            SyntheticGraph edges = SyntheticGraph.rmat(Integer.parseInt(parts[1]), 1);
            for (long left = Long.parseLong(parts[2]); left > 0; left -= batch.size()) {
                batch.clear();
                edges.fill(batch, (int) Math.min(left, EdgeBatch.DEFAULT_CAPACITY));
                receiver.add(batch);
                if (batch.isEmpty()) {
                    break;
                }
            }
            return;
        }
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(Path.of(graph)), 1 << 16), StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int space = line.indexOf(' ');
                batch.add(Long.parseLong(line, 0, space, 10), Long.parseLong(line, space + 1, line.length(), 10));
                if (batch.size() == EdgeBatch.DEFAULT_CAPACITY) {
                    receiver.add(batch);
                    batch.clear();
                }
            }
            receiver.add(batch);
        }
    }

    private void passed(String name, double share) {
        String next = name.equals(pass) && share == 1 ? "after " + name : name;
        if (!next.equals(step)) {
            long now = cpuNanos();
            if (!step.isEmpty()) {
                line(step, now - stepAt);
            }
            step = next;
            pass = name;
            stepAt = now;
        }
    }

    private void line(String what, long nanos) {
        System.out.printf(
                Locale.ROOT,
                "%-32s %8.2f s %8.1f ns an edge%n",
                what,
                nanos / NANOS,
                (double) nanos / Math.max(1, edges));
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static String peak() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024 + " MB")
                .findFirst()
                .orElse("unknown");
    }
}
