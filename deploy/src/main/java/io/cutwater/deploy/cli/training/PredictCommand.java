package io.cutwater.deploy.cli.training;

import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cli.option.KafkaOptions;
import io.cutwater.deploy.cli.option.MissingFeaturesOption;
import io.cutwater.deploy.cli.option.ReadableFile;
import io.cutwater.deploy.cli.training.progress.TopicShardsProgress;
import io.cutwater.format.folder.NamesFile;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.text.VertexNames;
import io.cutwater.kafka.textid.TextLookup;
import io.cutwater.state.text.Counted;
import io.cutwater.trainer.launch.GraphOrigin;
import io.cutwater.trainer.launch.PredictionRun;
import io.cutwater.trainer.output.PredictionFormat;
import io.cutwater.trainer.output.PredictionTable;
import io.cutwater.trainer.torch.Torch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Predicts the classes of all vertices with a trained model. */
@Command(
        name = "predict",
        sortOptions = false,
        description = "Writes the class and the embedding of every vertex, as a trained model predicts them.",
        footer = {"", "Example: cutwater predict --trained model --shards shards --out predictions"})
@SuppressWarnings("NullAway.Init") // picocli sets options and mixins
public final class PredictCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--trained",
            paramLabel = "DIR",
            required = true,
            description = "Folder that train wrote with --out.")
    private Path trained;

    @Mixin
    private LearningFiles files;

    @Option(
            names = "--features",
            paramLabel = "FILE",
            description = "Vertex features as train takes them. Default: those of the shards")
    private @Nullable Path features;

    @Mixin
    private MissingFeaturesOption missingFeatures;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            required = true,
            description = "Output folder; files of the same name are replaced.")
    private Path out;

    @Option(
            names = "--format",
            paramLabel = "csv|npy",
            defaultValue = "csv",
            description = "csv (predictions.csv) or npy (vertices, classes and embeddings). Default: ${DEFAULT-VALUE}")
    private PredictionFormat format;

    @Option(names = "--no-embeddings", description = "Write classes only.")
    private boolean withoutEmbeddings;

    @Option(
            names = "--device",
            paramLabel = "cpu|gpu",
            defaultValue = "cpu",
            description = "cpu, gpu or gpu:N. Default: ${DEFAULT-VALUE}")
    private String device;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        if (features != null) {
            ReadableFile.require(spec, "--features", features);
        }
        GraphOrigin graph = files.graph(
                features == null ? null : new VertexFiles(features, null, null),
                kafka,
                new TopicShardsProgress(common.display(spec.commandLine().getErr())));
        if (!files.isTopic() && kafka.given() != null) {
            throw wrong(kafka.given() + " needs --topic shards; leave it out");
        }
        if (!Files.isDirectory(trained)) {
            throw wrong("--trained %s is not a directory; name the --out of a train".formatted(trained));
        }
        if (Files.exists(out) && !Files.isDirectory(out)) {
            throw wrong("--out %s is not a directory; name another one".formatted(out));
        }
        try {
            Torch.device(device);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        long vertices = new PredictionRun(
                        trained, graph, !withoutEmbeddings, missingFeatures.isAllowed(), device, files.scratch())
                .run(format, out, table -> writeTexts(graph, table));
        if (common.isJson()) {
            JsonText.print(spec.commandLine().getOut(), JsonText.object().put("vertices", vertices));
        } else {
            spec.commandLine().getOut().printf("wrote %s to %s%n", Counted.of(vertices, "vertex"), out);
        }
        return 0;
    }

    /** Writes the texts of the vertices beside the predictions, if their ids stand for text. */
    private void writeTexts(GraphOrigin graph, PredictionTable table) throws IOException {
        if (graph instanceof GraphOrigin.Shards shards) {
            VertexNames names = ShardFolder.open(shards.folder()).readNames().orElse(null);
            if (names != null) {
                long[] vertices = table.vertices();
                byte[][] texts = names.names(vertices);
                // Vertices of --features that have no edge are not among the texts of the shards.
                long[] named = IntStream.range(0, vertices.length)
                        .filter(i -> texts[i] != null)
                        .mapToLong(i -> vertices[i])
                        .toArray();
                NamesFile.write(out, named, vertex -> texts[Arrays.binarySearch(vertices, vertex)]);
            }
        } else if (graph instanceof GraphOrigin.Topic topic) {
            writeTexts(topic, table.vertices());
        }
    }

    private void writeTexts(GraphOrigin.Topic topic, long[] vertices) throws IOException {
        Optional<TextLookup> texts =
                TextLookup.read(topic.bootstrapServers(), topic.clientProperties(), topic.topics(), vertices);
        if (texts.isPresent()) {
            NamesFile.write(out, vertices, texts.get()::text);
        } else if (!TextLookup.mayBeRead(topic.bootstrapServers(), topic.clientProperties(), topic.topics())) {
            spec.commandLine()
                    .getErr()
                    .printf(
                            "cutwater: warning: this user may not read topic %s; if ids stand for text, ids.csv is"
                                    + " missing, so give the user Read%n",
                            topic.topics().ids());
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
