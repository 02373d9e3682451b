package io.cutwater.deploy.cli.topic;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.EdgeFileOptions;
import io.cutwater.deploy.cli.option.FieldOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cli.option.MissingFeaturesOption;
import io.cutwater.deploy.cli.option.TopicOptions;
import io.cutwater.deploy.input.FeatureCheck;
import io.cutwater.deploy.input.FileIngest;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.local.IdKind;
import io.cutwater.deploy.view.Interruption;
import io.cutwater.deploy.view.Progress;
import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.mapped.MappedFileReader;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.ingest.EdgeFileIngest;
import io.cutwater.kafka.ingest.EdgeIngest;
import io.cutwater.kafka.ingest.EdgeOperation;
import io.cutwater.kafka.textid.TextIds;
import io.cutwater.state.text.Counted;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes edge files and vertex files to topics. */
@Command(
        name = "ingest",
        sortOptions = false,
        description = {
            "Writes edge files to topic edges, and vertex files to topic vertices.",
            "Progress is committed with the records: after an interruption, run the same command again."
        },
        footer = {"", "Example: cutwater ingest --edges graph.txt.gz --bootstrap-servers localhost:9092"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
public final class IngestCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private EdgeFileOptions edges;

    @Mixin
    private FieldOptions fields;

    @Mixin
    private IngestedVertices vertices;

    @Option(
            names = "--ids",
            paramLabel = "integer|text",
            defaultValue = "integer",
            description = "Type of the ids in files; text: for jobs with --ids text. Default: ${DEFAULT-VALUE}")
    private IdKind ids;

    @Option(
            names = "--ids-seed",
            paramLabel = "N",
            description = "With --ids text and vertex files: seed of the hashes, as the job has it. Default: 0")
    private @Nullable Long idsSeed;

    @Mixin
    private MissingFeaturesOption missingFeatures;

    @Mixin
    private TopicOptions topics;

    @Option(
            names = "--op",
            paramLabel = "add|remove",
            defaultValue = "add",
            description =
                    "add the edges, or remove the oldest copy of each (JSON or batch format). Default: ${DEFAULT-VALUE}")
    private EdgeOperation operation;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Edges (and vertices) per second at most. Default: no limit")
    private long rate;

    @Option(
            names = "--threads",
            paramLabel = "N",
            defaultValue = "1",
            description = "Files written at the same time, 1 to 64; their edges mix. Default: ${DEFAULT-VALUE}")
    private int threads;

    @Option(names = "--restart", description = "Write the files from the beginning, even what was written before.")
    private boolean restart;

    @Option(
            names = "--shuffle-seed",
            paramLabel = "N",
            description = "Write the edges in random order: all in memory, and not resumable.")
    private @Nullable Long shuffleSeed;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        boolean hasVertices = vertices.isGiven();
        boolean areTexts = ids == IdKind.TEXT && edges.isGiven();
        if (!edges.isGiven() && !hasVertices) {
            throw wrong("there is no input; give --edges FILE…, --vertices FILE… or --features FILE");
        }
        if (rate < 0) {
            throw wrong("--rate must be 0 or more edges per second, but was " + rate);
        }
        if (threads < 1 || threads > 64) {
            throw wrong("--threads must be between 1 and 64, but was " + threads);
        }
        if (shuffleSeed != null && (restart || threads > 1)) {
            throw wrong("--shuffle-seed writes all edges in one thread; leave --restart and --threads out");
        }
        if (operation == EdgeOperation.REMOVE && hasVertices) {
            throw wrong("--op remove is for edges; write vertex files in another command");
        }
        if (ids == IdKind.INTEGER && idsSeed != null) {
            throw wrong("--ids-seed needs --ids text, with which ids are hashes of text");
        }
        InputRequest.Files files = edges.read();
        List<VertexFiles> ofVertices =
                vertices.files(ids == IdKind.TEXT ? new TextIds(idsSeed == null ? 0 : idsSeed) : null);
        FieldMapping mapping = mapping(files, areTexts);
        InputRequest.Topic to = topics.edges("ingest");
        if (operation == EdgeOperation.REMOVE
                && to.format() instanceof RecordFormat.Own own
                && !own.format().holdsRemovals()) {
            throw wrong("--op remove needs --event-format json or batch; %s only adds edges".formatted(own.format()));
        }
        if (mapping != null
                && mapping.edgeKey() != null
                && !(to.format() instanceof RecordFormat.Own own && own.format().holdsKeys())) {
            throw wrong("--edge-key needs --event-format json or batch, whose records hold keys of edges");
        }
        if (areTexts && !(to.format() instanceof RecordFormat.Own own && own.format() == EdgeEventFormat.JSON)) {
            throw wrong("--ids text needs --event-format json for --edges; the other formats do not hold any text");
        }
        if (areTexts && shuffleSeed != null) {
            throw wrong("--shuffle-seed is for edges between integers; leave it or --ids text out");
        }
        Progress.Display display = common.display(spec.commandLine().getErr());
        if ((mapping != null || areTexts) && hasVertices && !missingFeatures.isAllowed()) {
            throw wrong("%s edges whose vertices are not compared with vertex files; add --allow-missing-features"
                    .formatted(mapping != null ? "--source and --target read" : "--ids text reads"));
        }
        if (files != null && operation == EdgeOperation.ADD && !missingFeatures.isAllowed()) {
            FeatureCheck.require(files, ofVertices, display);
        }
        Written written;
        try (Interruption interruption = new Interruption(spec.commandLine().getErr(), this::interrupted)) {
            written = edges(files, mapping, areTexts, to, display);
            if (hasVertices) {
                written = written.withVertices(FileIngest.vertices(ofVertices, to, rate, restart, display));
            }
        }
        print(written, to, edges.isGiven(), hasVertices);
        if (written.edges() == 0 && written.rejected() > 0) {
            display.say("note: no row became an edge; topic %s has the reasons%s"
                    .formatted(
                            to.topics().deadLetters(),
                            mapping == null ? "" : ", and the rows must have the fields of --source and --target"));
        }
        return 0;
    }

    private String interrupted() {
        return shuffleSeed == null && !restart
                ? "what was committed stays on the topics; the same command continues behind it"
                : shuffleSeed == null
                        ? "what was committed stays on the topics; leave out --restart to continue behind it"
                        : "the edges that were written stay on the topic, and the same command would write them again";
    }

    private record Written(long edges, long rejected, long vertices) {
        Written withVertices(long vertices) {
            return new Written(edges, rejected, vertices);
        }
    }

    /** Returns the fields that make an edge, which all files have; null for files of edges. */
    private @Nullable FieldMapping mapping(InputRequest.@Nullable Files files, boolean areTexts) throws IOException {
        FieldMapping mapping;
        try {
            mapping = fields.mapping();
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
        if (mapping != null && files == null) {
            throw wrong("--source and --target name fields of --edges FILE…; give it, or leave them out");
        }
        if (mapping != null && shuffleSeed != null) {
            throw wrong("--shuffle-seed is for files of edges; leave --source and --target out, or the seed");
        }
        if (mapping != null && files != null) {
            for (Path file : files.paths()) {
                MappedFileReader.open(
                                file,
                                files.formatOf(file),
                                EdgeFilePosition.START,
                                mapping,
                                areTexts ? new TextIds(0).allEnds() : null)
                        .close();
            }
        }
        return mapping;
    }

    private Written edges(
            InputRequest.@Nullable Files files,
            @Nullable FieldMapping mapping,
            boolean areTexts,
            InputRequest.Topic to,
            Progress.Display display)
            throws IOException {
        if (files == null) {
            return new Written(0, 0, 0);
        }
        if (shuffleSeed != null) {
            EdgeIngest.Result result = FileIngest.shuffled(files, to, operation, rate, shuffleSeed, display);
            return new Written(result.edges(), result.rejected(), 0);
        }
        EdgeFileIngest.Result result =
                FileIngest.resume(files, mapping, areTexts, to, operation, rate, threads, restart, display);
        return new Written(result.edges(), result.rejected(), 0);
    }

    private void print(Written written, InputRequest.Topic to, boolean hasEdges, boolean hasVertices) {
        PrintWriter out = spec.commandLine().getOut();
        if (common.isJson()) {
            ObjectNode document = JsonText.object();
            document.put("edges", written.edges()).put("deadLetters", written.rejected());
            if (hasVertices) {
                document.put("vertices", written.vertices());
            }
            out.println(document);
            return;
        }
        if (hasEdges) {
            out.printf(
                    "%s written to topic %s, %s to %s%n",
                    operation == EdgeOperation.REMOVE
                            ? Counted.of(written.edges(), "removal") + " of edges"
                            : Counted.of(written.edges(), "edge"),
                    to.topic(),
                    Counted.of(written.rejected(), "dead letter"),
                    to.topics().deadLetters());
        }
        if (hasVertices) {
            out.printf(
                    "%s written to topic %s%n",
                    Counted.of(written.vertices(), "vertex"), to.topics().vertices());
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
