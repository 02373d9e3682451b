package io.cutwater.deploy.cli.topic;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.converter.TimeConverter;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cli.option.KafkaOptions;
import io.cutwater.deploy.view.Progress;
import io.cutwater.format.folder.ShardOutput;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.kafka.replay.ReplayedVertices;
import io.cutwater.kafka.replay.ShardFiles;
import io.cutwater.kafka.replay.ShardReader;
import io.cutwater.kafka.replay.ShardReader.Found;
import io.cutwater.kafka.textid.TextLookup;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.text.Counted;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes one shard as of a commit. */
@Command(
        name = "read",
        sortOptions = false,
        description = "Writes one shard as of the last commit, or as of an earlier offset or time.",
        footer = {
            "",
            "Example: cutwater shard read --bootstrap-servers localhost:9092 --shard 0"
                    + " --at-time 2026-11-21T20:00:00Z --out shard-0"
        })
@SuppressWarnings("NullAway.Init") // picocli sets options that are required, and mixins
final class ShardReadCommand implements Callable<Integer> {
    private static final String STANDARD_OUTPUT = "-";

    /** The commit to read; the last one if neither is given. */
    private static final class Moment {
        @Option(
                names = "--at",
                paramLabel = "OFFSET",
                description = "Read the last commit before this offset of the shard's topic partition.")
        private @Nullable Long offset;

        @Option(
                names = "--at-time",
                paramLabel = "TIME",
                converter = TimeConverter.class,
                description = "Read the last commit before this time of the broker's clock:"
                        + " 2026-11-21T20:00:00Z, or milliseconds since 1970.")
        private @Nullable Instant time;
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private KafkaOptions kafka;

    @Option(names = "--shard", required = true, paramLabel = "N", description = "Number of the shard, from 0.")
    private int shard;

    @ArgGroup
    private Moment moment = new Moment();

    @Option(
            names = "--out",
            required = true,
            paramLabel = "DIR|-",
            description = "Folder of the shard; or - for the edges as CSV on standard output.")
    private String out;

    @Option(names = "--overwrite", description = "Replace a complete shard folder.")
    private boolean overwrite;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "csv",
            description = "csv, parquet or npy. Default: ${DEFAULT-VALUE}")
    private String format;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        TableFormat tables = checkedFormat();
        if (shard < 0 || shard >= VertexLayout.MAX_PARTITIONS) {
            throw wrong(
                    "--shard must be between 0 and %d, but was %d".formatted(VertexLayout.MAX_PARTITIONS - 1, shard));
        }
        if (moment.offset != null && moment.offset < 0) {
            throw wrong("--at must be 0 or more, but was " + moment.offset);
        }
        if (moment.time != null && moment.time.isAfter(Instant.now())) {
            throw wrong("--at-time must not be in the future: " + moment.time);
        }
        if (out.equals(STANDARD_OUTPUT)) {
            return toStandardOutput();
        }
        Path dir = Path.of(out);
        ShardOutput.refuseComplete(dir, overwrite);
        Found found = find();
        TextLookup texts = texts(found);
        ObjectNode summary = ShardFiles.write(
                found, kafka.topics().shards(), texts == null ? null : texts::text, tables, dir, overwrite);
        PrintWriter answer = spec.commandLine().getOut();
        if (common.isJson()) {
            JsonText.print(answer, summary);
        } else {
            answer.println(sentence(summary) + ", written to " + out);
        }
        return 0;
    }

    private TableFormat checkedFormat() {
        try {
            TableFormat tables = TableFormat.of(format);
            if (tables == TableFormat.CSV || tables == TableFormat.PARQUET || tables == TableFormat.NPY) {
                return tables;
            }
        } catch (IllegalArgumentException e) {
            // Its message names formats of whole output folders, too.
        }
        throw wrong("--format must be csv, parquet or npy: '%s'".formatted(format));
    }

    private Found find() {
        try (Progress progress = common.display(spec.commandLine().getErr()).begin("read shard " + shard)) {
            ShardReader reader = new ShardReader(
                    kafka.bootstrapServers("shard"),
                    kafka.client(),
                    kafka.topics().shards(),
                    (changes, share) -> progress.update(changes, share, ""));
            if (moment.offset != null) {
                return reader.readAt(shard, moment.offset);
            }
            return moment.time == null ? reader.read(shard) : reader.readAt(shard, moment.time);
        }
    }

    private int toStandardOutput() throws IOException {
        if (common.isJson()) {
            throw wrong("--out - and --json both write to standard output; leave one of them out");
        }
        if (!format.equals(TableFormat.CSV.label()) || overwrite) {
            throw wrong("--out - writes CSV; leave --format and --overwrite out");
        }
        try (TemporaryFolder folder = TemporaryFolder.create()) {
            Path dir = folder.path().resolve("shard");
            Found found = find();
            ObjectNode summary = ShardFiles.write(found, kafka.topics().shards(), null, TableFormat.CSV, dir, false);
            TextLookup texts = texts(found);
            try (BufferedReader edges = Files.newBufferedReader(dir.resolve("edges.csv"), StandardCharsets.US_ASCII)) {
                if (texts == null) {
                    edges.transferTo(spec.commandLine().getOut());
                } else {
                    printTexts(edges, texts);
                }
            }
            spec.commandLine().getOut().flush();
            spec.commandLine().getErr().println(sentence(summary));
        }
        return 0;
    }

    /** Returns the texts of the shard's vertices; null if ids are integers. */
    private @Nullable TextLookup texts(Found found) {
        ReplayedVertices vertices = found.shard().vertices();
        long[] ids = new long[vertices.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = vertices.vertex(i);
        }
        return TextLookup.read(kafka.bootstrapServers("shard"), kafka.client(), kafka.topics(), ids)
                .orElse(null);
    }

    /** Prints edges with texts in place of the ids. */
    private void printTexts(BufferedReader edges, TextLookup texts) throws IOException {
        PrintWriter answer = spec.commandLine().getOut();
        answer.println(edges.readLine());
        for (String line = edges.readLine(); line != null; line = edges.readLine()) {
            String[] columns = line.split(",", 3);
            String rest = columns.length == 2 ? "" : "," + columns[2];
            answer.print(quoted(texts.text(Long.parseLong(columns[0]))));
            answer.print(',');
            answer.print(quoted(texts.text(Long.parseLong(columns[1]))));
            answer.println(rest);
        }
    }

    /** Returns a field of CSV, quoted where RFC 4180 wants it. */
    private static String quoted(byte[] utf8) {
        String text = new String(utf8, StandardCharsets.UTF_8);
        boolean isPlain = text.chars().noneMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r');
        return isPlain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    private static String sentence(ObjectNode summary) {
        return "shard %d at offset %d of topic partition %d, generation %d: %s, %s"
                .formatted(
                        summary.path("shard").asInt(),
                        summary.path("offset").asLong(),
                        summary.path("topicPartition").asInt(),
                        summary.path("generation").asLong(),
                        Counted.of(summary.path("edges").asLong(), "edge"),
                        Counted.of(summary.path("vertices").asLong(), "vertex"));
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
