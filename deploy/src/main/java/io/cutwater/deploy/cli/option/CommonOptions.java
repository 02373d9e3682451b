package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.local.Progress;
import io.cutwater.deploy.local.ProgressStyle;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every command understands. */
@Heading("General")
public final class CommonOptions {
    /** The launcher knows whether standard error is a terminal; Java does not. */
    private static final String TERMINAL = "cutwater.terminal";

    /** Read before the command line is parsed, which then has the options of the file. */
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "YAML file with further options, such as 'partitions: 32'; the command line takes precedence.")
    @Nullable Path config;

    @Option(names = "--json", description = "One JSON document on standard output and nothing else there.")
    private boolean json;

    @Option(
            names = "--progress",
            paramLabel = "STYLE",
            defaultValue = "auto",
            description = "bar, lines (one every 10 s), off, or auto: a bar on a terminal. Default: auto")
    private ProgressStyle progress = ProgressStyle.AUTO;

    @Option(names = "--verbose", description = "Logs of Flink and Kafka on standard error, too.")
    void setVerbose(boolean verbose) {
        if (verbose) {
            // Read by log4j2.xml when the first library logs, which is after the command line is parsed.
            System.setProperty("cutwater.log.level", "INFO");
            System.setProperty("cutwater.log.libraries", "INFO");
        }
    }

    @Option(names = "--debug", description = "The stack trace with a failure.")
    boolean debug;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "This text.")
    boolean help;

    /** Whether the answer is one JSON document. */
    public boolean isJson() {
        return json;
    }

    /** Progress on standard error. */
    public Progress.Display display(PrintWriter err) {
        return new Progress.Display(progress, Boolean.getBoolean(TERMINAL), err, System::nanoTime);
    }
}
