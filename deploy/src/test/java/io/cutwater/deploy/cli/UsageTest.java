package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {
    @TempDir
    private Path folder;

    private String graph = "";

    @BeforeEach
    void writeGraph() throws IOException {
        graph = Files.writeString(folder.resolve("graph.txt"), "1 2\n").toString();
    }

    @Test
    void withoutAnythingItShowsUsage() {
        CommandRun run = CommandRun.of(Cutwater::run);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("Usage: cutwater", "demo", "partition", "ingest", "evaluate", "compare", "train", "predict");
        assertThat(run.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "partition", "ingest", "evaluate", "compare", "train", "predict"})
    void helpOfEveryCommandHasAnExample(String command) {
        CommandRun run = CommandRun.of(Cutwater::run, command, "--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("Usage: cutwater " + command).contains("Example: cutwater " + command);
    }

    @Test
    void helpIsGivenBehindWrongOptions() {
        CommandRun run = CommandRun.of(Cutwater::run, "partition", "--partitions", "many", "--nonsense", "--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("Usage: cutwater partition");
    }

    @Test
    void optionsStandUnderHeadings() {
        String help = CommandRun.of(Cutwater::run, "train", "--help").out();

        assertThat(help.lines().filter(line -> line.matches("[A-Z][a-z ]+:")).toList())
                .containsExactly(
                        "Input:",
                        "Vertex data:",
                        "Training:",
                        "Model:",
                        "Mode:",
                        "Growing graph:",
                        "Distributed training:",
                        "Kafka:",
                        "General:");
        assertThat(help).containsOnlyOnce("--features=FILE");
    }

    @Test
    void theSynopsisNamesWhatIsRequired() {
        assertThat(CommandRun.of(Cutwater::run, "partition", "--help").out())
                .startsWith("Usage: cutwater partition --partitions K|auto --out DIR [OPTIONS]");
    }

    @Test
    void resumeShowsNoDefaultsOfASubmission() {
        assertThat(CommandRun.of(Cutwater::run, "submit", "--help").out()).contains("Default: 256 mb");
        assertThat(CommandRun.of(Cutwater::run, "resume", "--help").out())
                .contains("Options that are not given keep the values of the submission.", "--cache-size")
                .doesNotContain("Default: 256 mb", "Default: cutwater");
    }

    @Test
    void anOptionThatIsMisspeltGetsASuggestion() {
        CommandRun run = CommandRun.of(Cutwater::run, "submit", "--partition", "4");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("Unknown option", "'--partition'", "Did you mean --partitions?");
    }

    @Test
    void aRequiredOptionThatIsMisspeltGetsASuggestion() {
        CommandRun run = CommandRun.of(Cutwater::run, "partition", "--edges", graph, "--partitons=4", "--out", "x");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("Missing required option: '--partitions=K|auto'", "Did you mean --partitions?");
    }

    @Test
    void aCommandThatIsMisspeltGetsASuggestion() {
        CommandRun run = CommandRun.of(Cutwater::run, "partitoin");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("'partitoin'", "Did you mean partition");
    }

    @Test
    void aFileWithoutItsOptionIsTakenForEdges() {
        CommandRun run = CommandRun.of(Cutwater::run, "partition", "pom.xml", "--partitions", "2", "--out", "x");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("'pom.xml'", "Did you mean --edges pom.xml?");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void whatIsRequiredIsNamed() {
        CommandRun run = CommandRun.of(Cutwater::run, "partition");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.sentence()).contains("--partitions", "--out");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "--partitions 0 | --partitions must be between 1 and 4096, or auto, but was '0'",
                "--partitions 4097 | --partitions must be between 1 and 4096, or auto, but was '4097'",
                "--partitions some | --partitions must be between 1 and 4096, or auto, but was 'some'",
                "--devices 2 | --devices, --device-memory and --device need --partitions auto; leave them out",
                "--partitions auto --devices 0 --device-memory 1g | --devices and --device-memory: devices must be at least 1: 0",
                "--partitions auto --ids text | --partitions auto counts the edges of files with integer ids",
                "--imbalance -0.1 | --imbalance must be 0 or more",
                "--imbalance NaN | --imbalance must be 0 or more",
                "--parallelism 0 | --parallelism of bulk passes must be from 1 to 64: 0",
                "--parallelism 65 | --parallelism of bulk passes must be from 1 to 64: 65",
                "--algorithm hdrf --parallelism 0 | --parallelism and --assigners must be at least 1: 0 and 1",
                "--algorithm hdrf --parallelism 129 | --parallelism 129 is more than the 128 key groups",
                "--topology ring | --topology must be auto, fused or distributed: 'ring'",
                "--topology fused --assigners 2 | --topology fused uses one task",
                "--algorithm hahs | did you mean hash?",
                "--algorithm metis | --algorithm 'metis' is not known; there are",
                "--algorithm hash --set lambda=2 | --set, with --passes bulk: hash has no setting named 'lambda'",
                "--passes twice | --passes",
                "--format graphml | --format: unknown output format 'graphml'; it must be one of csv, parquet, npy",
                "--algorithm 2ps-l --passes live | --passes live: 2ps-l reads its whole input before it places anything",
                "--set window=5 | --set, with --passes bulk: cutwater has no setting named 'window'",
                "--algorithm cutwater --assigners 2 | --algorithm cutwater of kind edge decides in one task",
                "--algorithm sigma-edge --set clustering=no | --set, with --passes bulk: the setting 'clustering' of sigma-edge must be",
                "--kind both | --kind must be edge or vertex, but was 'both'",
                "--kind vertex --algorithm hdrf | --algorithm 'hdrf' is not known with --kind vertex; there are cutwater, fennel",
                "--kind edge --algorithm ldg | --algorithm 'ldg' is not known with --kind edge; there are 2ps-l",
                "--algorithm spring --passes live | --passes live: spring reads its whole input before it places anything; give --passes bulk",
                "--algorithm ldg --passes live --set grain=1 | --set, with --passes live: ldg has no setting named 'grain'",
                "--algorithm ldg --set window=9 | --set, with --passes bulk: ldg has no setting named 'window'",
                "--kind vertex --set vertex-slack=0 | --set, with --passes bulk: the setting 'vertex-slack' of cutwater must be",
                "--algorithm fennel --assigners 2 | --algorithm fennel of kind vertex decides in one task",
                "--kind vertex --assigners 2 | --algorithm cutwater of kind vertex decides in one task",
                "--max-malformed 1.5 | --max-malformed must be between 0 and 1",
                "--max-malformed -1 | --max-malformed must be between 0 and 1",
                "--cache-size 0 | --cache-size must be at least 1 byte",
                "--cache-size much | 'much' is not a size",
                "--checkpoint-interval 5ms | --checkpoint-interval must be at least 100ms",
                "--checkpoint-interval soon | 'soon' is not a time",
                "--seed x | --seed",
                "--input-format xml | --input-format must be one of",
                "--dedupe both | --dedupe",
                "--topic edges | --edges=FILE, --topic=NAME are mutually exclusive",
                "--bootstrap-servers a:1 | --bootstrap-servers is for topics",
                "--topic-prefix a | --topic-prefix is for topics",
                "--event-format csv | --event-format is for topics",
                "--until 0:5 | --until needs --topic; files are read to their end",
                "--until 5 | '5' is not a position in a topic; write TOPICPARTITION:OFFSET",
                "--features f | --features f does not exist; check the path",
                "--nonsense f | --nonsense",
                "--ids words | --ids",
                "--ids text --input-format metis | --ids text is for text files",
            })
    void aWrongOptionOfPartitionIsNamedWithTheFix(String options, String sentence) {
        CommandRun run = partition(options);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.sentence()).contains(sentence);
        assertThat(run.err()).contains("See ./cutwater partition --help").doesNotContain("\tat ");
        assertThat(run.out()).isEmpty();
        assertThat(folder.resolve("shards")).doesNotExist();
    }

    private CommandRun partition(String options) {
        String partitions = options.contains("--partitions") ? "" : "--partitions 4 ";
        String line = "partition --edges " + graph + " --out " + folder.resolve("shards") + " " + partitions + options;
        return CommandRun.of(Cutwater::run, line.split(" +"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "partition --partitions 4 --out o | there is no input; give --edges",
                "partition --partitions 4 --out o --edges missing.txt | --edges missing.txt does not exist",
                "partition --partitions 4 --out o --edges . | --edges . is a directory",
                "partition --partitions 4 --out o --topic edges | --topic needs --bootstrap-servers",
                "partition --partitions 4 --out o --topic edges --bootstrap-servers here | must be HOST:PORT",
                "partition --partitions 4 --out o --topic edges --bootstrap-servers a:1 --event-format xml"
                        + " | --event-format must be csv, json, binary, batch, avro, protobuf, debezium-json or debezium-avro: 'xml'",
                "partition --partitions 4 --out o --topic edges --bootstrap-servers a:1 --via-kafka | --via-kafka",
                "partition --partitions 4 --out o --topic edges --bootstrap-servers a:1 --ids text --event-format batch"
                        + " | --ids text is for formats that hold text",
                "ingest --edges pom.xml --bootstrap-servers a:1 --ids text"
                        + " | --ids text needs --event-format json for --edges; the other formats do not hold any text",
                "ingest --edges pom.xml --bootstrap-servers a:1 --ids text --event-format json --shuffle-seed 3"
                        + " | --shuffle-seed is for edges between integers; leave it or --ids text out",
                "ingest --vertices pom.xml --bootstrap-servers a:1 --ids-seed 4 | --ids-seed needs --ids text",
                "partition --partitions 4 --out o --topic edges --bootstrap-servers a:1 --input-format text"
                        + " | --input-format is for files",
                "ingest --edges missing.txt --bootstrap-servers a:1 | --edges missing.txt does not exist",
                "ingest --bootstrap-servers a:1 | --edges",
                "partition --partitions 4 --out o --topic edges --bootstrap-servers a:1 --until 2999-01-01T00:00:00Z"
                        + " | --until must not be in the future: 2999-01-01T00:00:00Z",
                "ingest --edges pom.xml --op remove --bootstrap-servers a:1"
                        + " | --op remove needs --event-format json or batch; csv only adds edges",
                "ingest --vertices v.csv --op remove --event-format json --bootstrap-servers a:1"
                        + " | --op remove is for edges; write vertex files in another command",
                "ingest --edges pom.xml --source a --bootstrap-servers a:1 | --target is missing; the fields of an edge",
                "ingest --edges pom.xml --source a --target b --shuffle-seed 1 --bootstrap-servers a:1"
                        + " | --shuffle-seed is for files of edges; leave --source and --target out, or the seed",
                "ingest --edges pom.xml --vertices pom.xml --source a --target b --input-format json --bootstrap-servers a:1"
                        + " | --source and --target read edges whose vertices are not compared with vertex files",
                "ingest --vertices pom.xml --source a --target b --bootstrap-servers a:1"
                        + " | --source and --target name fields of --edges FILE…; give it, or leave them out",
                "ingest --edges pom.xml --source a --target b --edge-key c --input-format json --bootstrap-servers a:1"
                        + " | --edge-key needs --event-format json or batch, whose records hold keys of edges",
                "ingest --edges pom.xml --edge-key c --bootstrap-servers a:1 | --source is missing; the fields of an edge",
                "partition --edges pom.xml --partitions 4 --out o --edge-key c | --edge-key is for topics, and --edges",
                "ingest --edges pom.xml --op drop --bootstrap-servers a:1 | --op",
                "ingest --vertices v.csv --bootstrap-servers a:1 | --vertices v.csv does not exist; check the path",
                "ingest --split s --bootstrap-servers a:1 | --split s does not exist; check the path",
                "evaluate | --assignment",
                "train | there is no graph; give --shards DIR, --topic shards, or --centralised and --edges FILE",
                "train --shards nowhere | --shards nowhere is not a directory",
                "train --shards . --centralised | --shards=DIR, --centralised are mutually exclusive",
                "train --shards . --resume | --resume needs the folder",
                "train --shards . --model mlp | there is no model 'mlp'; there are gat",
                "predict --shards . --out o --trained nowhere | --trained nowhere is not a directory",
                "compare --partitions 4 | there is no input; give --edges FILE",
                "compare --partitions 4 --edges pom.xml --last 5 | --last is for --topic; leave it out",
                "compare --partitions 4 --edges pom.xml --topic edges | --edges and --topic are both inputs; leave one of them out",
                "compare --partitions 4 --topic edges --last 0 --bootstrap-servers h:1 | --last must be between 1 and 2147483647, but was 0",
                "compare --partitions 4 --edges pom.xml --topic-prefix x | --topic-prefix is for topics, and --edges reads files; leave one of them out",
                "compare --partitions 4 --edges missing.txt | --edges missing.txt does not exist",
                "evaluate --assignment missing | --assignment missing does not exist",
                "evaluate --assignment . --kind both | --kind",
                "demo --sever | --sever",
                "train --shards . --average-every 2epochs | it must be a number of epochs, such as 2, or of mini-batches",
                "train --shards . --kafka-properties pom.xml | --kafka-properties needs --topic, or --role; leave it out",
                "train --shards . --role worker --bootstrap-servers h:1 --kafka-properties p | --kafka-properties p does not exist",
                "train --shards . --role worker | --role needs --bootstrap-servers HOST:PORT",
                "train --shards . --topic-prefix a | --topic-prefix needs --topic, or --role",
                "train --topic shards | --topic needs --bootstrap-servers HOST:PORT",
                "train --topic edges --bootstrap-servers h:1 | --topic must be shards, which a live job writes",
                "train --topic shards --bootstrap-servers h | --bootstrap-servers must be HOST:PORT",
                "train --topic shards --bootstrap-servers h:1 --shards . | --shards=DIR, --topic=shards are mutually exclusive",
                "train --topic shards --bootstrap-servers h:1 --centralised | --topic=shards, --centralised are mutually exclusive",
                "train --topic shards --bootstrap-servers h:1 --feature-scaling column | --feature-scaling column would",
                "train --topic shards --bootstrap-servers h:1 --classes 0 | --classes must be at least 1: 0",
                "train --topic shards --bootstrap-servers h:1 --merge-every -1 | --merge-every must be at least 0, but was -1",
                "train --topic shards --bootstrap-servers h:1 --store pom.xml | --store pom.xml is not a directory",
                "train --shards . --follow | --follow is for a graph that grows; give --topic shards",
                "train --shards . --merge-every 2 | --merge-every needs --topic shards; leave it out",
                "train --shards . --store s | --store needs --topic shards; leave it out",
                "predict --trained . --shards . --out o --topic-prefix a | --topic-prefix needs --topic shards",
                "train --shards . --role coordinator --bootstrap-servers h:1 --worker-timeout 1s | --worker-timeout must be at least 2 s",
                "train --shards . --role worker --bootstrap-servers h:1 --out o | --out and --plot are for the coordinator",
                "train --shards . --transport mesh | --transport mesh is for --role coordinator, worker or sampler; leave it out",
                "train --shards . --role worker --bootstrap-servers h:1 --average-every gradients | add --transport mesh to all processes",
                "train --shards . --role worker --bootstrap-servers h:1 --transport mesh --mesh-address 192.0.2.1:7 | --mesh-address 192.0.2.1:7 is open to the network without TLS",
                "train --shards . --mesh-address 127.0.0.1:7 | --mesh-address is for --role with --transport mesh; leave it out",
                "train --shards . --role coordinator --bootstrap-servers h:1 --mesh-plaintext | --mesh-plaintext is for --role with --transport mesh; leave it out",
                "train --shards . --mode sync --role worker --bootstrap-servers h:1 | --mode sync needs direct connections; add --transport mesh to all processes",
                "train --shards . --mode sync --workers 2 | --workers is not for --mode sync without --role; leave it out",
                "train --shards . --mode sync --average-every 2 | --mode sync averages gradients in each step; leave out --average-every",
                "train --shards . --mode sync --compress int8 | --compress is for --mode full-graph; leave it out",
                "train --shards . --embeddings 8 | --embeddings is for --mode sync; leave it out",
                "train --shards . --mode sync --embeddings 0 | --embeddings must be at least 1, but was 0",
                "train --shards . --mode sync --embeddings 8 --row-cache 1m | --row-cache keeps features, which vertices with --embeddings do not have; leave it out",
                "train --shards . --role sampler --bootstrap-servers h:1 --transport mesh | --role sampler is for --mode sync, in which all shards take each step together; add --mode sync to all processes",
                "train --shards . --role sampler --bootstrap-servers h:1 --mode sync | --mode sync needs direct connections; add --transport mesh to all processes",
                "train --shards . --role sampler --bootstrap-servers h:1 --mode sync --embeddings 8 | --embeddings does not work with samplers",
                "train --shards . --role worker --bootstrap-servers h:1 --mode sync --embeddings 8 --sampler-processes 1 | leave out --sampler-processes",
                "train --shards . --role worker --bootstrap-servers h:1 --mode sync --sampler-processes -1 | --sampler-processes must be at least 0, but was -1",
                "train --shards . --role worker --bootstrap-servers h:1 --sampler-processes 1 | --sampler-processes is for --mode sync",
                "train --shards . --mode sync --sampler-processes 1 | --sampler-processes is for --role coordinator or worker; leave it out",
                "train --shards . --row-cache 1m | --row-cache is for --mode sync; leave it out",
                "train --shards . --mode full-graph --role worker --bootstrap-servers h:1 | --mode full-graph needs direct connections; add --transport mesh to all processes",
                "train --shards . --mode full-graph --workers 2 | --workers is not for --mode full-graph without --role; leave it out",
                "train --shards . --staleness epoch:1 | --staleness is for --mode full-graph; leave it out",
                "train --shards . --mode full-graph --stale-gradients | --stale-gradients needs a --staleness other than none; leave it out",
                "train --shards . --mode full-graph --staleness epoch:1 --staleness-warm-up -1 | --staleness-warm-up must be at least 0, but was -1",
                "compare --partitions 4 --edges pom.xml --plot /proc/x.svg | --plot /proc/x.svg cannot be written; choose another file",
                "train --shards . --plot curve.pdf | --plot curve.pdf must end in .png or .svg",
                "train --shards . --metrics here | --metrics must be PORT or HOST:PORT, with a port between 0 and 65535, but was 'here'",
                "page --bootstrap-servers h:1 --listen 0.0.0.0:1 | --listen 0.0.0.0:1 is an address of a network; give --password-file or --token-file, or --insecure",
                "page --bootstrap-servers h:1 --listen 0.0.0.0:1 --insecure --allow-commands | --allow-commands on 0.0.0.0:1, an address of a network, needs --password-file or --token-file",
                "page --bootstrap-servers h:1 --listen 1.2.3.4 | --listen must be PORT or HOST:PORT, with a port between 0 and 65535, but was '1.2.3.4'",
                "page --bootstrap-servers h:1 --imbalance -1 | --imbalance must be finite and at least 0: -1.0",
                "page --bootstrap-servers h:1 --tls missing | --tls missing",
                "demo --listen 8090 | --listen needs --serve; add it, or leave --listen out",
                "train --shards . --features f | --features f does not exist; check the path",
                "train --centralised --edges pom.xml | --centralised needs the features of the vertices",
            })
    void aWrongCommandLineIsRefused(String line, String sentence) {
        CommandRun run = CommandRun.of(Cutwater::run, line.split(" +"));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.sentence()).contains(sentence);
        assertThat(run.out()).isEmpty();
    }
}
