package io.cutwater.deploy.cli.topic;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The shards on a topic. */
@Command(
        name = "shard",
        sortOptions = false,
        description = "What topic shards holds: one shard as of any offset or time, or all of them checked.",
        synopsisSubcommandLabel = "read|check",
        subcommands = {ShardReadCommand.class, ShardCheckCommand.class},
        footer = {"", "Example: cutwater shard read --bootstrap-servers localhost:9092 --shard 0 --out shard-0"})
public final class ShardCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do with shards: read or check");
    }
}
