package io.cutwater.deploy.cluster;

import io.cutwater.deploy.cluster.ClusterStatus.ProcessStatus;
import io.cutwater.deploy.launch.ClusterParts;
import io.cutwater.state.scratch.LockFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka broker, a JobManager, TaskManagers and, if wanted, Prometheus on this machine, each a process that outlives
 * this one, all on the loopback address, with all their files in one folder.
 */
public final class LocalCluster {
    public static final String LOOPBACK = "127.0.0.1";
    static final String BROKER = "broker";
    static final String JOB_MANAGER = "jobmanager";
    static final String PROMETHEUS = "prometheus";

    private static final String TASK_MANAGER = "taskmanager-";
    private static final Duration POLL = Duration.ofMillis(300);

    private final ClusterFolder folder;
    private final Consumer<String> says;

    /** @param says receives sentences about the progress */
    public LocalCluster(Path folder, Consumer<String> says) {
        this.folder = new ClusterFolder(folder);
        this.says = says;
    }

    /**
     * Starts the processes that do not run, and waits until all are healthy.
     *
     * @return number of processes that were started; 0 if all ran already
     * @throws IOException if a port is taken, a process has ended, or the time is over; the message is meant for users
     */
    public int start(ClusterSettings settings, ClusterParts parts, Duration timeout)
            throws IOException, InterruptedException {
        folder.create();
        refuseWithoutKey(settings);
        long deadline = System.nanoTime() + timeout.toNanos();
        LockFile lock = lock();
        try {
            folder.key().create();
            Set<String> started = new HashSet<>();
            ClusterStatus status;
            do {
                startMissing(settings, parts, started);
                status = awaitHealth(settings, timeout, deadline);
                // A process that ran when it was asked may have been dying.
            } while (!status.isHealthy());
            return started.size();
        } finally {
            lock.close();
        }
    }

    /** Refuses a running cluster without a key: processes with and without one cannot talk to each other. */
    private void refuseWithoutKey(ClusterSettings settings) throws IOException {
        if (!folder.key().exists() && processes(settings).stream().anyMatch(ClusterProcess::isRunning)) {
            throw new IOException(
                    "the cluster in %s was started by an earlier version, without a key for Flink; ./cutwater cluster stop"
                                    .formatted(folder.root())
                            + " it first, then start it and ./cutwater resume its jobs");
        }
    }

    /** @param started names of those that this command has started; if one of them has ended, that is a failure */
    private void startMissing(ClusterSettings settings, ClusterParts parts, Set<String> started) throws IOException {
        List<ClusterProcess> missing = processes(settings).stream()
                .filter(process -> !process.isRunning())
                .toList();
        for (ClusterProcess process : missing) {
            if (started.contains(process.name())) {
                throw new IOException("%s has ended by itself: %s; its log is %s, and ./cutwater cluster stop ends the"
                                .formatted(process.name(), process.lastWords(), process.log())
                        + " other processes");
            }
            checkPorts(process, settings);
        }
        settings.write(folder);
        FlinkSettings.write(settings, folder);
        folder.writePlugin(parts.jobJar());
        if (settings.prometheusPort() != 0) {
            PrometheusSettings.writeTargets(settings, folder, processes(settings));
        }
        ProcessCommands commands = new ProcessCommands(settings, folder, parts);
        for (ClusterProcess process : missing) {
            start(process, commands, settings);
            started.add(process.name());
        }
    }

    private void start(ClusterProcess process, ProcessCommands commands, ClusterSettings settings) throws IOException {
        says.accept("starting " + process.name());
        // Flink must be able to tell the process from a dead one of the same name.
        String identity = process.name() + "-" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
        List<String> command = switch (process.name()) {
            case BROKER -> commands.broker(process);
            case JOB_MANAGER -> commands.jobManager(process);
            case PROMETHEUS -> commands.prometheus(processes(settings));
            default -> commands.taskManager(process, identity);
        };
        process.start(command, identity);
    }

    private List<ClusterProcess> processes(ClusterSettings settings) {
        List<ClusterProcess> processes = new ArrayList<>();
        processes.add(new ClusterProcess(BROKER, folder));
        processes.add(new ClusterProcess(JOB_MANAGER, folder));
        for (int i = 1; i <= settings.taskManagers(); i++) {
            processes.add(new ClusterProcess(TASK_MANAGER + i, folder));
        }
        if (settings.prometheusPort() != 0) {
            processes.add(new ClusterProcess(PROMETHEUS, folder));
        }
        return processes;
    }

    private static void checkPorts(ClusterProcess process, ClusterSettings settings) throws IOException {
        if (process.name().equals(BROKER)) {
            checkPort(settings.brokerPort(), "--broker-port");
            checkPort(settings.controllerPort(), "--controller-port");
        } else if (process.name().equals(JOB_MANAGER)) {
            checkPort(settings.flinkPort(), "--flink-port");
            checkPort(settings.jobManagerPort(), "--jobmanager-port");
        } else if (process.name().equals(PROMETHEUS)) {
            PrometheusSettings.command();
            checkPort(settings.prometheusPort(), "--prometheus");
        }
        OptionalInt metrics = settings.metricsPort(process.name());
        if (metrics.isPresent()) {
            checkPort(metrics.getAsInt(), "--metrics-ports");
        }
    }

    private static void checkPort(int port, String option) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            // As the servers do, so that lingering connections of a dead predecessor are no obstacle.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
        } catch (IOException e) {
            throw new IOException(
                    "port %d is in use; stop the process that listens there, or choose another port with %s"
                            .formatted(port, option),
                    e);
        }
    }

    /** Returns when all processes are healthy, or one does not run. */
    private ClusterStatus awaitHealth(ClusterSettings settings, Duration timeout, long deadline)
            throws IOException, InterruptedException {
        ClusterHealth health = new ClusterHealth(settings, folder);
        while (true) {
            ClusterStatus status = health.of(processes(settings));
            if (status.isHealthy() || status.processes().stream().anyMatch(process -> process.pid() == 0)) {
                return status;
            }
            if (System.nanoTime() > deadline) {
                throw notHealthy(status, timeout);
            }
            TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
        }
    }

    private IOException notHealthy(ClusterStatus status, Duration timeout) {
        ProcessStatus first = status.processes().stream()
                .filter(process -> !process.isHealthy())
                .findFirst()
                .orElseThrow();
        return new IOException(
                "after %d s %s %s; see the logs in %s, give --timeout more, or ./cutwater cluster stop what runs"
                        .formatted(timeout.toSeconds(), first.name(), first.detail(), folder.logs()));
    }

    /** Returns the status; null if no cluster was ever started in the folder. */
    public @Nullable ClusterStatus status() throws IOException {
        ClusterSettings settings = ClusterSettings.read(folder.root());
        return settings == null ? null : new ClusterHealth(settings, folder).of(processes(settings));
    }

    /** Returns whether any of its processes runs. */
    public boolean isRunning() throws IOException {
        ClusterSettings settings = ClusterSettings.read(folder.root());
        return settings != null && processes(settings).stream().anyMatch(ClusterProcess::isRunning);
    }

    /**
     * Ends every process: the JobManager first, so that it restarts nothing, and the broker last, so that the others
     * can still write. A process that does not end in time is killed.
     *
     * @return how each ended; empty if no cluster was ever started in the folder
     */
    public Map<String, ProcessEnd> stop(Duration timeout) throws IOException, InterruptedException {
        Map<String, ProcessEnd> ends = new LinkedHashMap<>();
        ClusterSettings settings = ClusterSettings.read(folder.root());
        if (settings == null) {
            return ends;
        }
        LockFile lock = lock();
        try {
            List<ClusterProcess> processes = processes(settings);
            ClusterProcess broker = processes.remove(0);
            processes.add(broker);
            for (ClusterProcess process : processes) {
                ProcessEnd end = process.stop(timeout);
                ends.put(process.name(), end);
                if (end == ProcessEnd.KILLED) {
                    says.accept(
                            "%s did not end within %d s and was killed".formatted(process.name(), timeout.toSeconds()));
                }
            }
        } finally {
            lock.close();
        }
        return ends;
    }

    private LockFile lock() throws IOException {
        LockFile lock = LockFile.tryLock(folder.lock());
        if (lock == null) {
            throw new IOException(
                    "another command starts or stops the cluster in %s; wait for it to end".formatted(folder.root()));
        }
        return lock;
    }
}
