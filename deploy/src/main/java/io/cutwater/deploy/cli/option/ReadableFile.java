package io.cutwater.deploy.cli.option;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What an option that names a file to read has to hold. */
public final class ReadableFile {
    private ReadableFile() {}

    /** @throws ParameterException with a sentence, unless it is a file that can be read now */
    public static void require(CommandSpec spec, String option, Path file) {
        if (Files.isDirectory(file)) {
            throw wrong(spec, "%s %s is a folder; name the files in it".formatted(option, file));
        }
        if (!Files.exists(file)) {
            throw wrong(spec, "%s %s does not exist; check the path".formatted(option, file));
        }
        if (!Files.isReadable(file)) {
            throw wrong(spec, "%s %s may not be read by this user; check its permissions".formatted(option, file));
        }
    }

    private static ParameterException wrong(CommandSpec spec, String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
