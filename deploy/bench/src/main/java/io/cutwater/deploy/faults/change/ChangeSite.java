package io.cutwater.deploy.faults.change;

import io.cutwater.deploy.faults.process.CampaignCluster;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.testkit.RegistryProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server and a cluster of real processes, on which cases run one after the other. */
public final class ChangeSite implements AutoCloseable {
    private static final long SEED = 7;

    private final Path folder = Files.createTempDirectory("cutwater-cdc-");
    private final PostgresServer postgres = new PostgresServer();
    private final CampaignCluster cluster = new CampaignCluster(folder, false, false);
    private final Thread onCtrlC = new Thread(this::closeQuietly);
    private @Nullable RegistryProcess registry;
    private int runs;
    private boolean isExact = true;

    /**
     * Starts the processes.
     *
     * @throws IOException if PostgreSQL is not installed, or a process does not start
     */
    public ChangeSite() throws IOException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(onCtrlC);
        cluster.start();
    }

    /**
     * Runs a case and prints its row of the table.
     *
     * @return what is wrong; empty if the shards are equal to the table
     */
    public String run(ChangeCase change, int changes, PrintStream out) throws IOException, InterruptedException {
        ChangeRun.Result result = new ChangeRun(
                        cluster, postgres, change.isAvro() ? registry() : null, change, ++runs, changes, SEED + runs)
                .run();
        isExact &= result.problem().isEmpty();
        out.println(result);
        return result.problem();
    }

    private RegistryProcess registry() throws IOException, InterruptedException {
        if (registry == null) {
            Path schemas = Files.createDirectory(folder.resolve("registry"));
            registry = RegistryProcess.start(Path.of(System.getProperty(ChangeBench.REGISTRY)), schemas);
        }
        return registry;
    }

    private void closeQuietly() {
        try {
            end();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("cannot end the processes", e);
        }
    }

    private void end() throws IOException, InterruptedException {
        if (registry != null) {
            registry.close();
        }
        cluster.close();
        postgres.close();
    }

    /** Ends all processes; the logs stay if a case was not exact. */
    @Override
    public void close() throws IOException, InterruptedException {
        Runtime.getRuntime().removeShutdownHook(onCtrlC);
        end();
        if (isExact) {
            TemporaryFolder.delete(folder);
        } else {
            System.err.println("the logs are in " + folder);
        }
    }
}
