package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.PlotFile;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.local.RunRequest;
import io.cutwater.format.folder.OutputFolder;
import io.cutwater.format.folder.TableFormat;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The output of {@code partition}: a folder of shards, and topics. */
@Heading("Output")
@SuppressWarnings("NullAway.Init") // picocli sets the command and required options
final class OutputOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            required = true,
            description = "Output folder, which appears when it is complete.")
    private Path folder;

    @Option(names = "--overwrite", description = "Replace a complete output folder.")
    private boolean overwrite;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "csv",
            description =
                    "csv, parquet, npy, dgl (csv and DGL), metis (csv and METIS) or graphbolt (npy and GraphBolt)."
                            + " Default: ${DEFAULT-VALUE}")
    private String format;

    @Option(
            names = "--publish",
            description = "With --topic: also write shards, partition book, reports and dead letters to topics.")
    private boolean publish;

    @Option(
            names = "--plot",
            paramLabel = "FILE.png|svg",
            description = "Also draw the load of each partition, and the replicas of vertices by degree.")
    private @Nullable Path plot;

    /** Returns the file of the picture; null for none. */
    @Nullable Path plot() {
        return plot;
    }

    RunRequest.Output read(InputRequest from) {
        if (publish && !(from instanceof InputRequest.Topic)) {
            throw wrong("--publish needs --topic; edges of files are written to --out only");
        }
        if (plot != null) {
            PlotFile.require(spec, plot);
        }
        try {
            OutputFolder.refuseComplete(folder, overwrite);
        } catch (IOException e) {
            throw wrong("--out: " + e.getMessage());
        }
        try {
            return new RunRequest.Output(folder, overwrite, TableFormat.of(format), publish);
        } catch (IllegalArgumentException e) {
            throw wrong("--format: " + e.getMessage());
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
