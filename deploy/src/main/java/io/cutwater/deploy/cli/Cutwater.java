package io.cutwater.deploy.cli;

import io.cutwater.deploy.cli.cluster.ClusterCommand;
import io.cutwater.deploy.cli.help.GroupedHelp;
import io.cutwater.deploy.cli.live.DoctorCommand;
import io.cutwater.deploy.cli.live.RepartitionCommand;
import io.cutwater.deploy.cli.live.ResumeCommand;
import io.cutwater.deploy.cli.live.StatusCommand;
import io.cutwater.deploy.cli.live.StopCommand;
import io.cutwater.deploy.cli.live.SubmitCommand;
import io.cutwater.deploy.cli.page.PageCommand;
import io.cutwater.deploy.cli.partition.PartitionCommand;
import io.cutwater.deploy.cli.quality.CompareCommand;
import io.cutwater.deploy.cli.quality.EvaluateCommand;
import io.cutwater.deploy.cli.topic.IngestCommand;
import io.cutwater.deploy.cli.topic.ShardCommand;
import io.cutwater.deploy.cli.training.PredictCommand;
import io.cutwater.deploy.cli.training.TrainCommand;
import io.cutwater.deploy.launch.UserJars;
import io.cutwater.deploy.launch.Version;
import io.cutwater.state.algorithm.Algorithms;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The root command, which shows all commands. Exit codes: 0 done, 1 the work failed, 2 wrong usage. */
@Command(
        name = "cutwater",
        description = "Partitions a graph stream for distributed GNN training.",
        synopsisSubcommandLabel = "<command>",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            DemoCommand.class,
            PartitionCommand.class,
            IngestCommand.class,
            EvaluateCommand.class,
            ShardCommand.class,
            CompareCommand.class,
            TrainCommand.class,
            PredictCommand.class,
            ClusterCommand.class,
            SubmitCommand.class,
            StatusCommand.class,
            StopCommand.class,
            ResumeCommand.class,
            RepartitionCommand.class,
            PageCommand.class,
            DoctorCommand.class,
            GpuBridgeCommand.class,
            CompletionCommand.class,
            ManPagesCommand.class
        },
        footer = {
            "",
            "Every command has --help. Try: cutwater demo",
            "Exit codes: 0 done, 1 the work failed, 2 wrong usage."
        })
public final class Cutwater implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        // Standard output is for results, so what a library prints goes to the logs.
        System.setOut(System.err);
        System.exit(run(out, err, args));
    }

    /** Runs one command line to its exit code. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        try {
            // Must come before anything that lists the algorithms, such as help.
            UserJars.find();
            Algorithms.all();
        } catch (IllegalArgumentException | IllegalStateException e) {
            err.println("cutwater: " + e.getMessage());
            return ExitCode.USAGE;
        }
        CommandLine line = commandLine().setOut(out).setErr(err);
        List<String> words = Arrays.asList(args);
        if (words.contains("--help") || words.contains("-h")) { // also behind an option that is wrong
            Arguments.command(line, words).usage(out);
            return ExitCode.OK;
        }
        try {
            return line.execute(Arguments.complete(line, err, args));
        } catch (ParameterException e) {
            return Failures.wrongUsage(e, args);
        }
    }

    /** The parser of all commands. */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Cutwater())
                .setUsageHelpAutoWidth(false)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Failures::wrongUsage)
                .setExecutionExceptionHandler(Failures::workFailed);
        GroupedHelp.install(line);
        return line;
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
