package io.cutwater.deploy.faults.process;

import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process beside a cluster that is started again until it has ended well. */
public final class SupervisedProcess {
    private static final int MAX_ATTEMPTS = 40;

    private final CampaignCluster cluster;
    private final String name;
    private final List<String> command;
    private final List<String> again;

    private Process process;
    private int attempts = 1;

    /**
     * Starts {@code cutwater}.
     *
     * @param name of the process and of its log
     * @param words the command line of {@code cutwater}
     * @param wordsAgain added to them when the process is started again
     * @throws IOException if it cannot be started
     */
    public SupervisedProcess(CampaignCluster cluster, String name, List<String> words, String... wordsAgain)
            throws IOException {
        this(cluster, name, CommandRun.java(Cutwater.class), words, List.of(wordsAgain));
    }

    /**
     * Starts another program.
     *
     * @param name of the process and of its log
     * @param program the words that start it
     * @throws IOException if it cannot be started
     */
    public static SupervisedProcess of(CampaignCluster cluster, String name, List<String> program) throws IOException {
        return new SupervisedProcess(cluster, name, program, List.of(), List.of());
    }

    private SupervisedProcess(
            CampaignCluster cluster, String name, List<String> program, List<String> words, List<String> wordsAgain)
            throws IOException {
        this.cluster = cluster;
        this.name = name;
        command = new ArrayList<>(program);
        command.addAll(words);
        again = wordsAgain;
        process = launch(List.of());
    }

    private Process launch(List<String> more) throws IOException {
        List<String> words = new ArrayList<>(command);
        words.addAll(more);
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        cluster.folder().resolve(name + ".log").toFile()));
        builder.environment().putAll(cluster.environment());
        return builder.start();
    }

    /**
     * Starts the process again if it has failed.
     *
     * @return whether it has ended well
     * @throws IOException if it fails again and again
     */
    public boolean tend() throws IOException {
        if (process.isAlive()) {
            return false;
        }
        if (process.exitValue() == 0) {
            return true;
        }
        if (attempts == MAX_ATTEMPTS) {
            throw new IOException("%1$s has failed %2$d times; see %1$s.log".formatted(name, attempts));
        }
        cluster.log("%s ended with exit code %d; it is started again".formatted(name, process.exitValue()));
        attempts++;
        process = launch(again);
        return false;
    }

    /** Sends a signal to the process, if it runs. */
    public void signal(String signal) throws IOException, InterruptedException {
        if (process.isAlive()) {
            cluster.log("%s to %s, pid %d".formatted(signal, name, process.pid()));
            CampaignCluster.signal(process.pid(), signal);
            if (signal.equals("KILL")) {
                process.waitFor(30, TimeUnit.SECONDS);
            }
        }
    }

    public void close() {
        process.destroyForcibly();
    }
}
