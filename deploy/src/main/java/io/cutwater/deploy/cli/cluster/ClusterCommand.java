package io.cutwater.deploy.cli.cluster;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands of the local cluster. */
@Command(
        name = "cluster",
        sortOptions = false,
        description = "Runs a Kafka broker, a Flink JobManager and TaskManagers on this machine, each as a process.",
        synopsisSubcommandLabel = "start|status|stop",
        subcommands = {ClusterStartCommand.class, ClusterStatusCommand.class, ClusterStopCommand.class},
        footer = {"", "Example: cutwater cluster start --task-managers 2"})
public final class ClusterCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "cluster needs a sub-command: start, status or stop");
    }
}
