package io.cutwater.deploy.faults;

import io.cutwater.deploy.faults.process.CampaignCluster;
import io.cutwater.testkit.CommandRun;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A re-partitioning by the command line, repeated with the same id until it has ended. */
final class CampaignRepartition {
    private final CampaignCluster cluster;
    private final String prefix;
    private final int before;

    private @Nullable CompletableFuture<CommandRun> running;
    private int partitions;
    private @Nullable CommandRun end;

    /** @param before number of partitions of the job */
    CampaignRepartition(CampaignCluster cluster, String prefix, int before) {
        this.cluster = cluster;
        this.prefix = prefix;
        this.before = before;
    }

    void start(int partitions) {
        this.partitions = partitions;
        running = CompletableFuture.supplyAsync(this::command);
    }

    private CommandRun command() {
        return cluster.run("repartition %s --id campaign --rate 4000/s --json --timeout 90s --progress off"
                        .formatted(partitions == before ? "--replan" : "--partitions " + partitions)
                + " --bootstrap-servers %s --topic-prefix %s".formatted(cluster.servers(), prefix));
    }

    /**
     * Repeats the command if a fault has ended it.
     *
     * @return whether none was begun, or it has ended
     */
    boolean tend() {
        if (running == null || end != null) {
            return true;
        }
        if (!running.isDone()) {
            return false;
        }
        CommandRun run = running.join();
        if (run.succeeded() || run.err().contains(" is refused") || run.err().contains(" is aborted")) {
            end = run;
            return true;
        }
        running = CompletableFuture.supplyAsync(this::command);
        return false;
    }

    /** Returns the number of shards now; 0 if it was not carried out. */
    int partitions() {
        return end != null && end.succeeded() ? partitions : 0;
    }

    /**
     * Checks that a repeated command is told how the re-partitioning ended; returns what is wrong, or an empty text.
     */
    String askAgain() {
        return end == null || !end.succeeded() || command().out().equals(end.out())
                ? ""
                : "the end of the re-partitioning is told differently when it is asked for again";
    }
}
