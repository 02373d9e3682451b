package io.cutwater.deploy.cli.topic;

import io.cutwater.deploy.cli.option.ReadableFile;
import io.cutwater.deploy.cli.option.VertexFileOptions;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.kafka.textid.TextIds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The files of vertex data that are ingested. */
@SuppressWarnings("NullAway.Init") // picocli sets the command and mixins
final class IngestedVertices {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--vertices",
            arity = "1..*",
            paramLabel = "FILE",
            description = "Vertex tables as --features takes them; several need a column id.")
    private List<Path> tables = new ArrayList<>();

    @Mixin
    private VertexFileOptions files;

    boolean isGiven() {
        return files.isGiven() || !tables.isEmpty();
    }

    /**
     * Returns the files of each option, as one table each.
     *
     * @param texts the ids of texts; null for ids that are integers
     */
    List<VertexFiles> files(@Nullable TextIds texts) throws IOException {
        List<VertexFiles> all = new ArrayList<>();
        VertexFiles beside = files.files();
        if (beside != null) {
            all.add(withIds(beside, texts));
        }
        for (Path file : tables) {
            ReadableFile.require(spec, "--vertices", file);
            VertexFiles table = new VertexFiles(file, null, null);
            if (tables.size() > 1 && !table.hasIds()) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--vertices %s has no column id, so its first row is vertex 0, as in the other files; name the"
                                        .formatted(file)
                                + " ids, or give one file");
            }
            all.add(withIds(table, texts));
        }
        return all;
    }

    private static VertexFiles withIds(VertexFiles files, @Nullable TextIds texts) throws IOException {
        return texts == null ? files : files.withNames(texts.names());
    }
}
