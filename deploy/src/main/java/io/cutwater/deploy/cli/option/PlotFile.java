package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.view.Picture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks the file of {@code --plot}. */
public final class PlotFile {
    private PlotFile() {}

    /** @throws ParameterException unless a picture can be written there */
    public static void require(CommandSpec spec, Path plot) {
        if (!Picture.canWrite(plot)) {
            throw wrong(spec, "--plot %s must end in .png or .svg".formatted(plot));
        }
        Path folder = plot.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw wrong(spec, "--plot %s: directory %s does not exist; create it first".formatted(plot, folder));
        }
        try {
            // Before hours of work; a folder such as /proc calls itself writable.
            Files.delete(Files.createTempFile(folder, ".plot", ""));
        } catch (IOException e) {
            throw wrong(spec, "--plot %s cannot be written; choose another file".formatted(plot));
        }
        if (Files.isDirectory(plot)) {
            throw wrong(spec, "--plot %s is a directory; choose another file".formatted(plot));
        }
    }

    private static ParameterException wrong(CommandSpec spec, String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
