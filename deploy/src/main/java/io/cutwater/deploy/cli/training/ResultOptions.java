package io.cutwater.deploy.cli.training;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.ListenAddress;
import io.cutwater.deploy.cli.option.PlotFile;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where the results of a training go. */
@Heading("Training")
@SuppressWarnings("NullAway.Init") // picocli sets options
final class ResultOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the model, its checkpoints and rounds.csv.")
    private @Nullable Path out;

    @Option(names = "--resume", description = "Continue from the checkpoint in --out, with the same options.")
    private boolean resumes;

    @Option(names = "--plot", paramLabel = "FILE.png|svg", description = "Also draw loss and accuracy by epoch.")
    private @Nullable Path plot;

    @Option(
            names = "--metrics",
            paramLabel = "[HOST:]PORT",
            description = "Serve Prometheus metrics at /metrics; without HOST on this machine only.")
    private @Nullable String metrics;

    @Nullable Path out() {
        return out;
    }

    boolean resumes() {
        return resumes;
    }

    @Nullable Path plot() {
        return plot;
    }

    /**
     * Returns the address of the metrics; null without them.
     *
     * @throws ParameterException if the text is not an address
     */
    @Nullable InetSocketAddress metricsAddress() {
        try {
            return metrics == null ? null : ListenAddress.of("--metrics", metrics);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    /** @throws ParameterException if a file cannot be written, or there is no folder to resume from */
    void requireUsable() {
        if (plot != null) {
            PlotFile.require(spec, plot);
        }
        if (resumes && out == null) {
            throw wrong("--resume needs the folder of the checkpoint; give it with --out");
        }
        if (out != null && Files.exists(out) && !Files.isDirectory(out)) {
            throw wrong("--out %s is not a directory; name another one".formatted(out));
        }
    }

    /** @throws ParameterException if an option is given: a worker has no results */
    void refuseInWorker() {
        if (out != null || plot != null) {
            throw wrong("--out and --plot are for the coordinator; leave them out of a worker");
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
