package io.cutwater.deploy.cli;

import io.cutwater.deploy.local.InputRequest;
import io.cutwater.deploy.local.PartitionRun;
import io.cutwater.deploy.local.RunRequest;
import io.cutwater.kafka.folder.OutputFolder;
import io.cutwater.kafka.folder.TableFormat;
import io.cutwater.kafka.record.EdgeEventFormat;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.state.partition.EdgePartitioners;
import io.cutwater.state.quality.QualityReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
final class PartitionCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private EdgeFileOptions edges;

    @Mixin
    private TopicOptions topics;

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description = "Instead of files: a topic, up to its ends at the start.")
    private @Nullable String topic;

    @Option(names = "--via-kafka", description = "Sends the files through an embedded Kafka broker first.")
    private boolean viaKafka;

    @Option(
            names = "--publish",
            description = "With --topic: also writes shards, partition book, reports and dead letters to topics,"
                    + " each edge exactly once.")
    private boolean publish;

    @Option(names = "--partitions", paramLabel = "K", required = true, description = "How many partitions, 1 to 4096.")
    private int partitions;

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
            description = "csv, parquet or npy. Default: ${DEFAULT-VALUE}")
    private String format;

    @Option(
            names = "--max-bad",
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
            description = "Memory for vertices in front of the state on disk. Default: ${DEFAULT-VALUE}")
    private long cacheBytes;

    @Option(
            names = "--checkpoint-interval",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "Default: ${DEFAULT-VALUE}")
    private Duration checkpointInterval;

    @Option(names = "--dedupe", hidden = true)
    private boolean dedupe;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        RunRequest request = request();
        PrintWriter err = spec.commandLine().getErr();
        PartitionRun.Outcome outcome = new PartitionRun(request, common.display(err), Version.current()).run();
        ReportText.print(spec.commandLine().getOut(), outcome.report(), common.json);
        return conclude(request, outcome, err);
    }

    private static int conclude(RunRequest request, PartitionRun.Outcome outcome, PrintWriter err) {
        QualityReport quality = outcome.report().quality();
        if (!outcome.hasFolder()) {
            err.printf(
                    Locale.ROOT,
                    "cutwater: %,d of %,d records are no edges, more than --max-bad %s allows, so there is no output"
                            + " folder; check the input, or allow more%n",
                    quality.deadLetters(),
                    quality.deadLetters() + quality.edges(),
                    request.maxBad());
            return Cutwater.FAILED;
        }
        if (quality.edgeBalance() > 1 + request.imbalance()) {
            err.printf(
                    Locale.ROOT,
                    "cutwater: note: edge balance %.4f is above the %.4f of --imbalance; %s %s%n",
                    quality.edgeBalance(),
                    1 + request.imbalance(),
                    outcome.report().algorithm(),
                    EdgePartitioners.hasSetting(outcome.report().algorithm(), "imbalance")
                            ? "keeps to it but for a few edges of each partition, which tell on a small input"
                            : "does not bound it here");
        }
        return 0;
    }

    RunRequest request() {
        if (dedupe) {
            throw wrong("--dedupe is not in this version; leave it out, and duplicates stay duplicates");
        }
        if (!(maxBad >= 0 && maxBad <= 1)) {
            throw wrong("--max-bad must be a share of 0 to 1, such as 0.01: " + maxBad);
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
        return new RunRequest(
                input(),
                algorithm.partitioner(partitions),
                algorithm.imbalance(),
                out,
                overwrite,
                tableFormat(),
                maxBad,
                cacheBytes,
                checkpointInterval,
                viaKafka,
                publish);
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
            if (publish) {
                throw wrong("--publish writes beside the topic of --topic; files go into the folder of --out alone");
            }
            return new InputRequest.Files(edges.files(), edges.format());
        }
        if (viaKafka) {
            throw wrong(
                    "--via-kafka sends files through an embedded broker; --topic is on Kafka already, so leave it out");
        }
        if (edges.format() != null) {
            throw wrong("--input-format is for files; say how the topic's values are written with --event-format");
        }
        EdgeEventFormat eventFormat = topics.eventFormat();
        String bootstrapServers = topics.bootstrapServers("--topic");
        Topics names = topics.names();
        return new InputRequest.Topic(bootstrapServers, names, names.prefix() + topic, eventFormat);
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
