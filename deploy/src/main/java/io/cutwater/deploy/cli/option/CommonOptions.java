package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.launch.LogFormat;
import io.cutwater.deploy.view.EventWriter;
import io.cutwater.deploy.view.Progress;
import io.cutwater.deploy.view.ProgressStyle;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that every command has. */
@Heading("General")
@SuppressWarnings("NullAway.Init") // picocli sets the command
public final class CommonOptions {
    /** Columns of the terminal that standard error is, from the launcher: Java does not know; 0 if it is none. */
    private static final String TERMINAL = "cutwater.terminal";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    /** Read before the command line is parsed, which then has the options of the file. */
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML file of options, such as 'partitions: 32'. The command line takes precedence.")
    @Nullable Path config;

    @Option(names = "--json", description = "Write one JSON document to standard output, and nothing else.")
    private boolean json;

    @Option(
            names = "--progress",
            paramLabel = "STYLE",
            defaultValue = "auto",
            description = "bar, lines (one every 10 s), off, or auto: a bar on a terminal. Default: auto")
    private ProgressStyle progress = ProgressStyle.AUTO;

    @Option(names = "--verbose", description = "Also write the logs of Flink and Kafka to standard error.")
    void setVerbose(boolean verbose) {
        if (verbose) {
            // Read by log4j2.xml when the first library logs, which is after the command line is parsed.
            System.setProperty("cutwater.log.level", "INFO");
            System.setProperty("cutwater.log.libraries", "INFO");
        }
    }

    private @Nullable LogFormat logFormat;

    @Option(
            names = "--log-format",
            paramLabel = "text|json",
            description = "json: one JSON document a line, for logs and for standard error. Default: text")
    void setLogFormat(LogFormat format) {
        logFormat = format;
        format.apply();
        if (format == LogFormat.JSON) {
            CommandLine root = spec.root().commandLine();
            root.setErr(new PrintWriter(new EventWriter(), true));
        }
    }

    @Option(names = "--debug", description = "Print the stack trace of a failure.")
    boolean debug;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    /** Returns whether the answer is one JSON document. */
    public boolean isJson() {
        return json;
    }

    /** Returns the format of logs; null if it is not given. */
    public @Nullable LogFormat logFormat() {
        return logFormat;
    }

    /** Progress on standard error. */
    public Progress.Display display(PrintWriter err) {
        int columns = logFormat == LogFormat.JSON ? 0 : Integer.getInteger(TERMINAL, 0);
        return new Progress.Display(progress, columns, err, System::nanoTime);
    }
}
