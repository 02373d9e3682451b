package io.cutwater.deploy.cli.cluster;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A cluster of real processes on this machine. */
@Command(
        name = "cluster",
        sortOptions = false,
        description = "A Kafka broker, a Flink JobManager and TaskManagers on this machine, each its own process.",
        synopsisSubcommandLabel = "start|status|stop",
        subcommands = {ClusterStartCommand.class, ClusterStatusCommand.class, ClusterStopCommand.class},
        footer = {"", "Example: cutwater cluster start --task-managers 2"})
public final class ClusterCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do with the cluster: start, status or stop");
    }
}
