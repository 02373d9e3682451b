package io.cutwater.deploy.cli;

import io.cutwater.deploy.cli.help.ManPage;
import io.cutwater.deploy.launch.Version;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.zip.GZIPOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Writes the manual pages that the Debian package installs. Hidden: only the build calls it. */
@Command(name = "man-pages", hidden = true, description = "Writes compressed manual pages of all commands to a folder.")
@SuppressWarnings("NullAway.Init") // picocli sets what it parses
final class ManPagesCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "Folder of the pages.")
    private Path out;

    @Override
    public Integer call() throws IOException {
        Files.createDirectories(out);
        for (Map.Entry<String, String> page :
                ManPage.pages(spec.root().commandLine(), Version.current()).entrySet()) {
            try (OutputStream file = new GZIPOutputStream(Files.newOutputStream(out.resolve(page.getKey() + ".gz")))) {
                file.write(page.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return 0;
    }
}
