package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.format.input.EdgeFileFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The edge files that a command reads. */
@Heading("Input")
public final class EdgeFileOptions {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--edges",
            arity = "1..*",
            paramLabel = "FILE",
            description = "Edge files, read in this order: text lines 'u v [weight] [timestamp]', METIS .graph, .npy or"
                    + " .parquet; text also as .gz and .zst.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--input-format",
            paramLabel = "FORMAT",
            description = "text, metis, npy or parquet, whatever the files are called.")
    private @Nullable String format;

    public boolean isGiven() {
        return !files.isEmpty();
    }

    /** The files, every one of which can be read now. */
    public List<Path> files() {
        for (Path file : files) {
            ReadableFile.require(spec, "--edges", file);
        }
        return List.copyOf(files);
    }

    /** Null: told from each file's name. */
    public @Nullable EdgeFileFormat format() {
        if (format == null) {
            return null;
        }
        try {
            return EdgeFileFormat.of(format);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private ParameterException wrong(@Nullable String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
