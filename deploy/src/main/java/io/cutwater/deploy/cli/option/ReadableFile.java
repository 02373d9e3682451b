package io.cutwater.deploy.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks the file that an option names. */
public final class ReadableFile {
    private ReadableFile() {}

    /** @throws ParameterException unless the file exists and can be read */
    public static void require(CommandSpec spec, String option, Path file) {
        if (Files.isDirectory(file)) {
            throw wrong(spec, "%s %s is a directory; name the files in it".formatted(option, file));
        }
        if (!Files.exists(file)) {
            throw wrong(spec, "%s %s does not exist; check the path".formatted(option, file));
        }
        if (!Files.isReadable(file)) {
            throw wrong(spec, "%s %s cannot be read; check its permissions".formatted(option, file));
        }
    }

    private static ParameterException wrong(CommandSpec spec, String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
