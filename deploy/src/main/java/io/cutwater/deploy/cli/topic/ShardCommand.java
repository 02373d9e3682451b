package io.cutwater.deploy.cli.topic;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands that read and check the shards of a topic. */
@Command(
        name = "shard",
        sortOptions = false,
        description = "Reads or checks the shards in topic shards.",
        synopsisSubcommandLabel = "read|check",
        subcommands = {ShardReadCommand.class, ShardCheckCommand.class},
        footer = {"", "Example: cutwater shard read --bootstrap-servers localhost:9092 --shard 0 --out shard-0"})
public final class ShardCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "shard needs a sub-command: read or check");
    }
}
