package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.input.InputRequest;
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
    /** Description of {@code --edges}. */
    public static final String FILES =
            "Edge files, in this order: text (u v [weight] [timestamp]), METIS, NPY, Parquet.";

    /** Description of {@code --input-format}. */
    public static final String FORMATS = "text, metis, npy, parquet or json. Default: by the name of each file";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--edges", arity = "1..*", paramLabel = "FILE", description = FILES)
    private List<Path> files = new ArrayList<>();

    @Option(names = "--input-format", paramLabel = "FORMAT", description = FORMATS)
    private @Nullable String format;

    public boolean isGiven() {
        return !files.isEmpty();
    }

    /** The files, which can be read; null if none is given. */
    public InputRequest.@Nullable Files read() {
        return files.isEmpty() ? null : read(spec, files, format);
    }

    /**
     * Edge files, which can be read.
     *
     * @param format as {@code --input-format} names it; null: by the name of each file
     */
    public static InputRequest.Files read(CommandSpec spec, List<Path> files, @Nullable String format) {
        for (Path file : files) {
            ReadableFile.require(spec, "--edges", file);
        }
        try {
            return new InputRequest.Files(files, format == null ? null : EdgeFileFormat.of(format));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }
}
