package io.cutwater.deploy.cli.option;

import io.cutwater.deploy.plot.Picture;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What {@code --plot} has to name. */
public final class PlotFile {
    private PlotFile() {}

    /** @throws ParameterException with a sentence, unless a picture can be written there in the end */
    public static void require(CommandSpec spec, Path plot) {
        if (!Picture.canWrite(plot)) {
            throw wrong(spec, "--plot %s must end in .png or .svg".formatted(plot));
        }
        Path folder = plot.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw wrong(spec, "--plot %s: there is no folder %s; make it first".formatted(plot, folder));
        }
        if (Files.isDirectory(plot) || !Files.isWritable(folder)) {
            throw wrong(spec, "--plot %s cannot be written; choose another file".formatted(plot));
        }
    }

    private static ParameterException wrong(CommandSpec spec, String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
