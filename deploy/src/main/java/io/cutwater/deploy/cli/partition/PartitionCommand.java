package io.cutwater.deploy.cli.partition;

import io.cutwater.deploy.cli.converter.ByteSizeConverter;
import io.cutwater.deploy.cli.converter.DurationConverter;
import io.cutwater.deploy.cli.converter.TopicMomentConverter;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.EdgeFileOptions;
import io.cutwater.deploy.cli.option.MissingFeaturesOption;
import io.cutwater.deploy.cli.option.TopicOptions;
import io.cutwater.deploy.cli.option.Version;
import io.cutwater.deploy.cli.option.VertexFileOptions;
import io.cutwater.deploy.local.IdKind;
import io.cutwater.deploy.local.InputRequest;
import io.cutwater.deploy.local.PartitionRun;
import io.cutwater.deploy.local.RunRequest;
import io.cutwater.deploy.local.TopicMoment;
import io.cutwater.deploy.local.VertexTopic;
import io.cutwater.format.folder.OutputFolder;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.json.RunReport;
import io.cutwater.format.vertex.VertexDataSummary;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.algorithm.EdgePartitioners;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.TrainingVertices;
import io.cutwater.state.placement.vertex.LiveVertexAssigner;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.DuplicateRule;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** One bounded job: edges of files or of a topic into an output folder. */
@Command(
        name = "partition",
        sortOptions = false,
        description = "Places every edge of files or of a topic on one of K partitions and writes the shards.",
        footer = {
            "",
            "Example: cutwater partition --edges graph.txt.gz --algorithm hdrf --partitions 32 --out shards",
        })
@SuppressWarnings("NullAway.Init") // picocli sets options that are required, and mixins
public final class PartitionCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private EdgeFileOptions edges;

    @Option(
            names = "--ids",
            paramLabel = "integer|text",
            defaultValue = "integer",
            description = "What ids of vertices are; text is for lines of text, and needs memory for every id."
                    + " Default: ${DEFAULT-VALUE}")
    private IdKind ids;

    @Mixin
    private TopicOptions topics;

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description = "Instead of files: a topic, up to its ends at the start.")
    private @Nullable String topic;

    @Option(
            names = "--until",
            paramLabel = "OFFSETS|TIME",
            converter = TopicMomentConverter.class,
            description = "With --topic: the shards as of an offset of each topic partition, as 0:1234,1:99 (the first"
                    + " that is not read), or as of a time, as 2026-11-21T20:00:00Z or @MILLISECONDS since 1970, by the"
                    + " timestamps of the records.")
    private @Nullable TopicMoment until;

    @Option(names = "--via-kafka", description = "Sends the files through an embedded Kafka broker first.")
    private boolean viaKafka;

    @Option(
            names = "--publish",
            description = "With --topic: also writes shards, partition book, reports and dead letters to topics,"
                    + " each edge exactly once. Their readers refuse them until the run is complete.")
    private boolean publish;

    @Mixin
    private PartitionCountOptions partitions;

    @Mixin
    private AlgorithmOptions algorithm;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            required = true,
            description = "The output folder; made when it is complete.")
    private Path out;

    @Option(names = "--overwrite", description = "Replaces an output folder that is there.")
    private boolean overwrite;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "csv",
            description = "csv, parquet, npy, dgl (csv and a chunked graph for DGL) or metis (csv and the graph with"
                    + " an owner for each vertex). Default: ${DEFAULT-VALUE}")
    private String format;

    @Option(
            names = "--max-malformed",
            paramLabel = "SHARE",
            defaultValue = "0.01",
            description = "Share of records that may be no edges before the command fails, 0 to 1."
                    + " Default: ${DEFAULT-VALUE}")
    private double maxBad;

    @Option(
            names = "--cache-size",
            paramLabel = "BYTES",
            defaultValue = "256m",
            converter = ByteSizeConverter.class,
            description = "Memory for vertices in front of the state on disk, on Java's heap. RocksDB takes 128 MB"
                    + " more beside the heap. Default: ${DEFAULT-VALUE}")
    private long cacheBytes;

    @Option(
            names = "--checkpoint-interval",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "Default: ${DEFAULT-VALUE}")
    private Duration checkpointInterval;

    @Option(
            names = "--dedupe",
            arity = "0..1",
            fallbackValue = "directed",
            paramLabel = "directed|undirected",
            description =
                    "Drops an edge that came before: with the same source and target, or, undirected, with the same"
                            + " two ends. Weight and timestamp do not count; the first one stays.")
    private @Nullable DuplicateRule dedupe;

    @Mixin
    private VertexFileOptions vertexFiles;

    @Mixin
    private MissingFeaturesOption missingFeatures;

    @Option(
            names = "--vertices-topic",
            paramLabel = "NAME",
            description = "With --topic: instead of --features, --labels and --split a topic, up to its ends at the"
                    + " start.")
    private @Nullable String verticesTopic;

    @Option(
            names = "--training-imbalance",
            paramLabel = "X",
            description =
                    "With --split or --vertices-topic: spreads the vertices that are trained on, so that the partition with most of"
                            + " them is that far above the average at most, with cutwater, sigma-vertex, ldg and fennel in"
                            + " bulk passes. Default: they are counted only")
    private @Nullable Double trainingImbalance;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        RunRequest request = request();
        PrintWriter err = spec.commandLine().getErr();
        PartitionRun.Outcome outcome = new PartitionRun(request, common.display(err), Version.current()).run();
        ReportText.print(spec.commandLine().getOut(), outcome.report(), common.isJson());
        return conclude(request, outcome, err);
    }

    private static int conclude(RunRequest request, PartitionRun.Outcome outcome, PrintWriter err) {
        Quality quality = outcome.report().quality();
        if (request.dedupe() != null) {
            err.printf(
                    Locale.ROOT,
                    "cutwater: dropped %,d duplicates of %,d edges%n",
                    outcome.duplicates(),
                    outcome.duplicates() + quality.edges());
        }
        if (outcome.takenAway() > 0) {
            err.printf(Locale.ROOT, "cutwater: %,d edges were taken away again%n", outcome.takenAway());
        }
        if (!outcome.hasFolder()) {
            err.printf(
                    Locale.ROOT,
                    "cutwater: %,d of %,d records are no edges, more than --max-malformed %s allows, so there is no output"
                            + " folder; check the input, or allow more%n",
                    quality.deadLetters(),
                    outcome.records(),
                    request.maxBad());
            return ExitCode.SOFTWARE;
        }
        outcome.vertexData().ifPresent(data -> noteVertexData(data, err));
        noteBalance(request, outcome.report(), err);
        return 0;
    }

    private static void noteVertexData(VertexDataSummary data, PrintWriter err) {
        err.printf(
                Locale.ROOT,
                "cutwater: of %,d rows of vertex data, %,d are of vertices without an edge and left out; %,d vertices"
                        + " have no row%n",
                data.rows(),
                data.rowsWithoutEdge(),
                data.verticesWithoutRow());
    }

    private static void noteBalance(RunRequest request, RunReport report, PrintWriter err) {
        Quality quality = report.quality();
        double balance = quality.edgeBalance().orElse(quality.vertexBalance());
        if (balance > 1 + request.imbalance()) {
            boolean isBounded = report.kind() == PartitioningKind.EDGE
                    ? EdgePartitioners.hasSetting(report.algorithm(), "imbalance")
                    : LiveVertexAssigner.hasSetting(report.algorithm(), "vertex-slack");
            err.printf(
                    Locale.ROOT,
                    "cutwater: note: %s balance %.4f is above the %.4f of --imbalance; %s %s%n",
                    report.kind().label(),
                    balance,
                    1 + request.imbalance(),
                    report.algorithm(),
                    isBounded
                            ? "keeps to it but for a few of each partition, which tell on a small input"
                            : "does not bound it here");
        }
    }

    RunRequest request() throws IOException {
        if (!(maxBad >= 0 && maxBad <= 1)) {
            throw wrong("--max-malformed must be a share of 0 to 1, such as 0.01: " + maxBad);
        }
        if (cacheBytes < 1) {
            throw wrong("--cache-size must be at least 1 byte: " + cacheBytes);
        }
        if (checkpointInterval.toMillis() < 100) {
            throw wrong("--checkpoint-interval must be at least 100ms: " + checkpointInterval.toMillis() + "ms");
        }
        try {
            OutputFolder.refuseComplete(out, overwrite);
        } catch (IOException e) {
            throw wrong("--out: " + e.getMessage());
        }
        VertexFiles data = vertexFiles();
        VertexTopic ofTopic = vertexTopic(data);
        PartitionerOptions partitioner =
                algorithm.partitioner(partitions(data)).withTraining(ofTopic == null ? training(data) : null);
        return new RunRequest(
                input(),
                ids,
                algorithm.kind(),
                partitioner,
                algorithm.imbalance(),
                out,
                overwrite,
                tableFormat(),
                maxBad,
                cacheBytes,
                algorithm.spread(partitioner),
                checkpointInterval,
                viaKafka,
                publish,
                dedupe,
                data,
                ofTopic,
                missingFeatures.isAllowed());
    }

    private @Nullable VertexTopic vertexTopic(@Nullable VertexFiles files) {
        if (verticesTopic == null) {
            return null;
        }
        if (topic == null) {
            throw wrong("--vertices-topic goes with --topic; beside --edges give --features, --labels and --split");
        }
        if (files != null) {
            throw wrong("--vertices-topic has features, labels and split; leave out --features, --labels and --split");
        }
        if (trainingImbalance != null) {
            training(new long[0], trainingImbalance);
        }
        Topics names = topics.names();
        return new VertexTopic(
                topics.bootstrapServers("--vertices-topic"),
                topics.client(),
                names.prefix() + verticesTopic,
                trainingImbalance);
    }

    private int partitions(@Nullable VertexFiles data) throws IOException {
        if (!partitions.isAuto()) {
            return partitions.given();
        }
        if (topic != null || ids == IdKind.TEXT) {
            throw wrong("--partitions auto counts the edges of files, with ids that are integers; give a number");
        }
        input(); // what is wrong with it is told before its edges are counted
        return partitions.counted(edges, data);
    }

    private @Nullable VertexFiles vertexFiles() {
        if (ids == IdKind.TEXT && vertexFiles.isGiven()) {
            throw wrong(
                    "--features, --labels and --split are for vertices whose ids are integers; leave --ids text out");
        }
        return vertexFiles.files();
    }

    /** Those that are to be spread. */
    private @Nullable TrainingVertices training(@Nullable VertexFiles files) throws IOException {
        if (trainingImbalance == null) {
            return null;
        }
        if (files == null) {
            throw wrong(
                    "--training-imbalance is for the vertices that a file or topic names; give it with --split FILE or"
                            + " --vertices-topic NAME");
        }
        return training(files.trainingVertices(), trainingImbalance);
    }

    private TrainingVertices training(long[] vertices, double imbalance) {
        try {
            return new TrainingVertices(vertices, imbalance);
        } catch (IllegalArgumentException e) {
            throw wrong("--training-imbalance: " + e.getMessage());
        }
    }

    private TableFormat tableFormat() {
        try {
            return TableFormat.of(format);
        } catch (IllegalArgumentException e) {
            throw wrong("--format: " + e.getMessage());
        }
    }

    private InputRequest input() {
        if (edges.isGiven() == (topic != null)) {
            throw wrong(
                    topic == null
                            ? "there is no input; give --edges FILE… or --topic NAME --bootstrap-servers HOST:PORT"
                            : "--edges and --topic exclude each other; give one of them");
        }
        if (topic == null) {
            topics.refuse("--edges");
            if (until != null) {
                throw wrong("--until says how far the topic of --topic is read; files are read whole, so leave it out");
            }
            if (publish) {
                throw wrong("--publish writes beside the topic of --topic; files go into the folder of --out alone");
            }
            List<Path> files = edges.files();
            if (ids == IdKind.TEXT) {
                refuseOtherThanText(files);
            }
            return new InputRequest.Files(files, edges.format());
        }
        if (ids == IdKind.TEXT) {
            throw wrong("--ids text is for files; events on a topic have 64-bit integers as ids");
        }
        if (viaKafka) {
            throw wrong(
                    "--via-kafka sends files through an embedded broker; --topic is on Kafka already, so leave it out");
        }
        if (edges.format() != null) {
            throw wrong("--input-format is for files; say how the topic's values are written with --event-format");
        }
        if (until instanceof TopicMoment.AtTime moment && moment.time().isAfter(Instant.now())) {
            throw wrong("--until %s is in the future, and nobody knows what the topic will have by then"
                    .formatted(moment.time()));
        }
        EdgeEventFormat eventFormat = topics.eventFormat();
        String bootstrapServers = topics.bootstrapServers("--topic");
        Topics names = topics.names();
        return new InputRequest.Topic(
                bootstrapServers,
                names,
                names.prefix() + topic,
                eventFormat,
                until == null ? new TopicMoment.Now() : until,
                topics.client());
    }

    private void refuseOtherThanText(List<Path> files) {
        for (Path file : files) {
            EdgeFileFormat fileFormat = edges.format() == null ? EdgeFileFormat.ofName(file) : edges.format();
            if (fileFormat != EdgeFileFormat.TEXT) {
                throw wrong("--ids text is for lines of text, and %s is %s, whose ids are integers; leave it out"
                        .formatted(file, fileFormat.name().toLowerCase(Locale.ROOT)));
            }
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
