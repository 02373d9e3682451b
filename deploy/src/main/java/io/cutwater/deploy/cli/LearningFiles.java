package io.cutwater.deploy.cli;

import io.cutwater.trainer.run.GraphFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The graph that is learned from, and its features. */
@SuppressWarnings("NullAway.Init") // picocli sets mixins
final class LearningFiles {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--shards",
            paramLabel = "DIR",
            description = "An output folder of partition, with one model per shard.")
    private @Nullable Path shards;

    @Option(
            names = "--centralised",
            description = "One model on the whole graph, which --edges gives; the same code with one shard.")
    private boolean centralised;

    @Mixin
    private EdgeFileOptions edges;

    @Option(
            names = "--features",
            paramLabel = "FILE",
            required = true,
            description = "libsvm text 'label index:value …', indices from 1, or that as .gz; line i, from 0, is vertex"
                    + " i.")
    private Path features;

    @Option(
            names = "--scratch",
            paramLabel = "DIR",
            description = "Where shards and features are laid out on disk while it runs. Default: the system's"
                    + " temporary folder")
    private Path scratch = Path.of(System.getProperty("java.io.tmpdir"));

    GraphFiles graph() {
        if (shards != null) {
            if (centralised || edges.isGiven()) {
                throw wrong("--shards has the edges in it; leave out --centralised and --edges, or --shards");
            }
            if (!Files.isDirectory(shards)) {
                throw wrong("--shards %s is no folder; name the --out of a partition".formatted(shards));
            }
            return new GraphFiles.Shards(shards);
        }
        if (!centralised || !edges.isGiven()) {
            throw wrong("there is no graph; give --shards DIR, or --centralised and --edges FILE");
        }
        return new GraphFiles.Whole(edges.files(), edges.format());
    }

    Path features() {
        return existing("--features", features);
    }

    Path scratch() {
        if (!Files.isDirectory(scratch)) {
            throw wrong("--scratch %s is no folder; make it first".formatted(scratch));
        }
        return scratch;
    }

    Path existing(String option, Path file) {
        if (!Files.isRegularFile(file)) {
            throw wrong("%s %s does not exist; check the path".formatted(option, file));
        }
        return file;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
