package io.cutwater.deploy.faults.process;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.testkit.CommandRun;
import io.cutwater.testkit.FreePorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Scanner;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A local cluster for a campaign: it notices dead processes soon, and the job and ingest reach its broker over links of
 * their own.
 */
public final class CampaignCluster {
    public static final String BROKER = "broker";
    public static final String JOB_MANAGER = "jobmanager";
    public static final String TASK_MANAGER = "taskmanager-1";
    static final List<String> PROCESSES = List.of(BROKER, JOB_MANAGER, TASK_MANAGER);

    public static final String CHECKPOINTS = "checkpoints";

    private static final int CHECKPOINT_MEGABYTES = 128;
    private static final int BROKER_MEGABYTES = 512;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LOOPBACK = "127.0.0.1:";
    private static final Duration START = Duration.ofMinutes(4);

    private final Path folder;
    private final int[] ports;
    private final Map<String, Link> links = new LinkedHashMap<>();
    private final PrintWriter log;
    private final @Nullable Clock clock;
    private final Map<String, Disk> disks = new LinkedHashMap<>();

    /**
     * @param folder for all files of the cluster, which is empty
     * @param hasDisks whether parts of it are mounted
     * @param hasClock whether the processes have a clock that can be set
     */
    public CampaignCluster(Path folder, boolean hasDisks, boolean hasClock) throws IOException, InterruptedException {
        this.folder = folder;
        ports = FreePorts.find(8);
        Files.createDirectories(folder.resolve("conf"));
        log = new PrintWriter(Files.newBufferedWriter(folder.resolve("campaign.log")), true);
        clock = hasClock ? Clock.create(folder) : null;
        write("flink", flinkSettings());
        write("broker", brokerSettings());
        links.put("job", new Link(ports[5], ports[4]));
        links.put("ingest", new Link(ports[7], ports[6]));
        if (hasDisks) {
            disks.put(CHECKPOINTS, Disk.mount(folder.resolve(CHECKPOINTS), CHECKPOINT_MEGABYTES));
            disks.put(BROKER, Disk.mount(folder.resolve("kafka"), BROKER_MEGABYTES));
        }
    }

    /** Starts the processes; the links exist already. */
    public void start() throws IOException, InterruptedException {
        String line = "cluster start --broker-port %d --controller-port %d --flink-port %d --jobmanager-port %d"
                        .formatted(ports[0], ports[1], ports[2], ports[3])
                + " --task-managers 1 --slots 3 --task-manager-memory 1g --metrics-ports none --timeout %ds"
                        .formatted(START.toSeconds());
        CommandRun started = startProcesses(line);
        if (!started.succeeded()) {
            throw new IOException(started.toString());
        }
    }

    /** Processes inherit their clock from the command that starts them. */
    private CommandRun startProcesses(String line) throws IOException, InterruptedException {
        if (clock == null) {
            return run(line);
        }
        CommandRun run = CommandRun.inChildProcess(Cutwater.class, onThisCluster(line), environment());
        log(run.toString());
        return run;
    }

    private static Properties flinkSettings() {
        Properties settings = new Properties();
        settings.put("heartbeat.interval", "1000");
        settings.put("heartbeat.timeout", "8000");
        settings.put("restart-strategy.fixed-delay.delay", "500ms");
        settings.put("jobmanager.memory.process.size", "800m");
        return settings;
    }

    private Properties brokerSettings() {
        Properties settings = new Properties();
        settings.put(
                "listeners",
                "PLAINTEXT://%1$s%2$d,CONTROLLER://%1$s%3$d,JOB://%1$s%4$d,INGEST://%1$s%5$d"
                        .formatted(LOOPBACK, ports[0], ports[1], ports[4], ports[6]));
        settings.put(
                "advertised.listeners",
                "PLAINTEXT://%1$s%2$d,JOB://%1$s%3$d,INGEST://%1$s%4$d"
                        .formatted(LOOPBACK, ports[0], ports[5], ports[7]));
        settings.put(
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,JOB:PLAINTEXT,INGEST:PLAINTEXT");
        return settings;
    }

    private void write(String name, Properties settings) throws IOException {
        try (Writer writer = Files.newBufferedWriter(folder.resolve("conf").resolve(name + ".properties"))) {
            settings.store(writer, "Settings of a fault campaign.");
        }
    }

    public Path folder() {
        return folder;
    }

    /** Returns the broker's address without a link. */
    public String servers() {
        return LOOPBACK + ports[0];
    }

    /** Returns the address of the job's link to the broker. */
    public String jobServers() {
        return LOOPBACK + ports[5];
    }

    /** Returns the address of ingest's link to the broker. */
    public String ingestServers() {
        return LOOPBACK + ports[7];
    }

    public Link link(String process) {
        Link link = links.get(process);
        if (link == null) {
            throw new IllegalArgumentException("no link is between %s and the broker".formatted(process));
        }
        return link;
    }

    /** @param part {@link #CHECKPOINTS} or {@link #BROKER} */
    public Disk disk(String part) {
        Disk disk = disks.get(part);
        if (disk == null) {
            throw new IllegalArgumentException("the cluster has no disk of its own for " + part);
        }
        return disk;
    }

    /** Returns the clock of the processes. */
    public Clock clock() {
        if (clock == null) {
            throw new IllegalStateException("the cluster's processes have the clock of the machine");
        }
        return clock;
    }

    /** Returns the environment variables of processes on the cluster's machine. */
    Map<String, String> environment() {
        return clock == null ? Map.of() : clock.environment();
    }

    /** Returns the folder of a topic partition's log. */
    public Path topicPartition(String topic, int partition) {
        return folder.resolve("kafka").resolve("log").resolve(topic + "-" + partition);
    }

    /** Runs a command line on this cluster, as a user does. */
    public CommandRun run(String line) {
        CommandRun run = CommandRun.of(Cutwater::run, onThisCluster(line).toArray(String[]::new));
        log(run.toString());
        return run;
    }

    private List<String> onThisCluster(String line) {
        List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
        words.add("--dir");
        words.add(folder.toString());
        return words;
    }

    /** Writes actions and observations to the campaign's log. */
    public void log(String text) {
        log.printf("%s %s%n", LocalTime.now().truncatedTo(ChronoUnit.MILLIS), text.strip());
    }

    /** Sends a signal to a process of the cluster; waits for its end if the signal ends it. */
    public void signal(String process, String signal) throws IOException, InterruptedException {
        Optional<ProcessHandle> handle = handle(process);
        log("%s to %s, pid %s".formatted(signal, process, handle.map(ProcessHandle::pid)));
        if (handle.isEmpty()) {
            return;
        }
        signal(handle.get().pid(), signal);
        if (signal.equals("KILL") || signal.equals("TERM")) {
            try {
                handle.get().onExit().get(30, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                signal(handle.get().pid(), "KILL");
                handle.get().onExit().join();
            }
        }
    }

    static void signal(long pid, String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                .inheritIO()
                .start()
                .waitFor();
    }

    private Optional<ProcessHandle> handle(String process) throws IOException {
        Path file = folder.resolve("pids").resolve(process + ".json");
        return Files.exists(file)
                ? ProcessHandle.of(JSON.readTree(file.toFile()).path("pid").asLong())
                        .filter(ProcessHandle::isAlive)
                : Optional.empty();
    }

    /** Starts the processes that do not run, as the manual says. */
    public void startMissing() throws IOException, InterruptedException {
        for (String process : PROCESSES) {
            if (handle(process).isEmpty()) {
                startProcesses("cluster start --timeout %ds".formatted(START.toSeconds()));
                return;
            }
        }
    }

    /** Returns the number of the last complete checkpoint or savepoint of a job; 0 if there is none. */
    public int lastCheckpoint(String job) {
        String[] names = folder.resolve(CHECKPOINTS).resolve(job).toFile().list();
        int last = 0;
        for (String name : names == null ? new String[0] : names) {
            if (name.matches("chk-[0-9]+")
                    && Files.exists(folder.resolve(CHECKPOINTS)
                            .resolve(job)
                            .resolve(name)
                            .resolve("_metadata"))) {
                last = Math.max(last, Integer.parseInt(name.substring(4)));
            }
        }
        return last;
    }

    private Path logOf(String process) {
        return folder.resolve("logs").resolve(process + ".log");
    }

    /** Returns the bytes of a process's log so far. */
    public long logSize(String process) throws IOException {
        return Files.exists(logOf(process)) ? Files.size(logOf(process)) : 0;
    }

    /**
     * Returns the first line of a process's log that is wanted; empty if there is none.
     *
     * @param from the byte to begin at, as {@link #logSize} gave it; a log that is shorter now is read from its start
     */
    public String logLine(String process, long from, Predicate<String> isWanted) throws IOException {
        try (FileChannel channel = FileChannel.open(logOf(process))) {
            channel.position(from <= channel.size() ? from : 0);
            Scanner lines = new Scanner(Channels.newInputStream(channel), StandardCharsets.UTF_8);
            while (lines.hasNextLine()) {
                String line = lines.nextLine();
                if (isWanted.test(line)) {
                    return line.strip();
                }
            }
        }
        return "";
    }

    /** Ends all processes; the folder stays. */
    public void close() throws IOException, InterruptedException {
        for (Link link : links.values()) {
            link.heal();
        }
        run("cluster stop");
        for (Link link : links.values()) {
            link.close();
        }
        log.close();
        for (Disk disk : disks.values()) {
            disk.unmount();
        }
    }
}
