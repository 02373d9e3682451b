package io.cutwater.deploy.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script that completes commands and options in a shell. */
@Command(
        name = "completion",
        description = "Prints a script that completes commands and options in a shell.",
        footer = {"", "Example: source <(./cutwater completion bash)"})
@SuppressWarnings("NullAway.Init") // picocli sets what it parses
final class CompletionCommand implements Callable<Integer> {
    /** The shells that read the script. It loads the emulation of bash completion in zsh. */
    private enum Shell {
        BASH,
        ZSH
    }

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "bash|zsh", description = "The shell.")
    Shell shell;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this help.")
    boolean help;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        out.println(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
        out.flush();
        return 0;
    }
}
