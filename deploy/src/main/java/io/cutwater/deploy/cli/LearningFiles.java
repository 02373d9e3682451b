package io.cutwater.deploy.cli;

import io.cutwater.kafka.file.VertexFiles;
import io.cutwater.trainer.run.GraphOrigin;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The graph that is learned from. */
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
            names = "--scratch",
            paramLabel = "DIR",
            description = "Where shards and features are laid out on disk while it runs. Default: the system's"
                    + " temporary folder")
    private Path scratch = Path.of(System.getProperty("java.io.tmpdir"));

    /** @param vertices null: what the shards have themselves */
    GraphOrigin graph(@Nullable VertexFiles vertices) {
        if (shards != null) {
            if (centralised || edges.isGiven()) {
                throw wrong("--shards has the edges in it; leave out --centralised and --edges, or --shards");
            }
            if (!Files.isDirectory(shards)) {
                throw wrong("--shards %s is no folder; name the --out of a partition".formatted(shards));
            }
            return new GraphOrigin.Shards(shards, vertices);
        }
        if (!centralised || !edges.isGiven()) {
            throw wrong("there is no graph; give --shards DIR, or --centralised and --edges FILE");
        }
        if (vertices == null) {
            throw wrong("--centralised needs the features of the vertices; give --features FILE");
        }
        return new GraphOrigin.Whole(edges.files(), edges.format(), vertices);
    }

    Path scratch() {
        if (!Files.isDirectory(scratch)) {
            throw wrong("--scratch %s is no folder; make it first".formatted(scratch));
        }
        return scratch;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
