package io.cutwater.deploy.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterUsageTest {
    @TempDir
    private Path folder;

    private CommandRun run(String line) {
        List<String> words = new ArrayList<>(List.of(line.strip().split(" +", -1)));
        words.addAll(List.of("--dir", folder.toString()));
        return CommandRun.of(Cutwater::run, words.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cluster",
                "cluster start",
                "cluster status",
                "cluster stop",
                "submit",
                "status",
                "stop",
                "resume",
                "repartition",
                "shard",
                "shard read",
                "shard check"
            })
    void helpOfEveryCommandHasAnExample(String command) {
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        words.add("--help");
        CommandRun help = CommandRun.of(Cutwater::run, words.toArray(String[]::new));

        assertThat(help.exitCode()).isZero();
        assertThat(help.out()).startsWith("Usage: cutwater " + command).contains("Example: cutwater " + command);
    }

    @Test
    void theClusterWantsToKnowWhat() {
        CommandRun run = CommandRun.of(Cutwater::run, "cluster");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.sentence()).contains("start, status or stop");
    }

    @Test
    void shardsWantToKnowWhat() {
        CommandRun run = CommandRun.of(Cutwater::run, "shard");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.sentence()).contains("read or check");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "--shard 4096 --out x | --shard must be between 0 and 4095, but was 4096",
                "--shard -1 --out x | --shard must be between 0 and 4095, but was -1",
                "--shard 0 --out x --at 1 --at-time 5 | --at=OFFSET, --at-time=TIME are mutually exclusive",
                "--shard 0 --out x --at -3 | --at must be 0 or more, but was -3",
                "--shard 0 --out x --at-time yesterday | 'yesterday' is not a time; write it as 2026-11-21T20:00:00Z",
                "--shard 0 --out x --at-time 99999999999999999 | --at-time must not be in the future",
                "--shard 0 --out x --format metis | --format must be csv, parquet or npy: 'metis'",
                "--shard 0 --out - --json | --out - and --json both write to standard output",
                "--shard 0 --out - --format npy | --out - writes CSV",
                "--shard 0 --out x --topic-prefix a/b | --topic-prefix must be at most 200 letters",
                "--out x | '--shard=N'"
            })
    void wrongQuestionsForAShardAreRefused(String options, String sentence) {
        CommandRun run = CommandRun.of(
                Cutwater::run, ("shard read --bootstrap-servers localhost:1 " + options.strip()).split(" +", -1));

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.sentence()).contains(sentence.strip());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "cluster start --task-managers 0 | --task-managers must be between 1 and 64, but was 0",
                "cluster start --slots 65 | --slots must be between 1 and 64, but was 65",
                "cluster start --broker-port 65536 | --broker-port must be between 1 and 65535, but was 65536",
                "cluster start --task-manager-memory 1000m | --task-manager-memory must be at least 1g",
                "cluster start --metrics-ports many | --metrics-ports must be a port, a range such as",
                "cluster start --metrics-ports none --prometheus | --prometheus needs the metrics of the Flink processes",
                "cluster start --prometheus 65536 | --prometheus must be between 1 and 65535, but was 65536",
                "cluster start --otel localhost:4317 | --otel must be http://HOST:PORT or https://HOST:PORT, or none",
                "submit --partitions 8 | there is no local cluster in",
                "submit --flink here --partitions 8 | --flink must be HOST:PORT",
                "submit --flink h:1 --partitions 8 | --bootstrap-servers is missing",
                "submit --flink h:1 --bootstrap-servers h:2 | --partitions is missing",
                "submit --flink h:1 --bootstrap-servers h:2 --partitions 0 | --partitions must be a whole number",
                "submit --flink h:1 --bootstrap-servers h:2 --partitions 8 --event-format debezium-json --source after.a"
                        + " --target after.b --keep-edges --on-truncate remove | --on-truncate remove needs --edge-key",
                "submit --flink h:1 --bootstrap-servers h:2 --partitions 8 --event-format debezium-json --source after.a"
                        + " --target after.b --keep-edges --on-truncate remove --edge-key :key --ttl 1d | --on-truncate",
                "status | there is no local cluster in",
                "stop | there is no local cluster in",
                "resume | there is no local cluster in",
                "repartition | Missing required argument (specify one of these): (--partitions=K | --replan | --abort)",
                "repartition --partitions 8 --replan | --partitions=K, --replan are mutually exclusive",
                "repartition --abort --replan | --replan, --abort are mutually exclusive",
                "repartition --partitions 0 | --partitions must be between 1 and 4096, but was 0",
                "repartition --replan --budget 0% | Invalid value for option '--budget': '0%' is not a share",
                "repartition --replan --rate 5k | Invalid value for option '--rate': '5k' is not a rate",
                "repartition --replan --id a/b | --id must be 1 to 64 letters",
                "repartition --replan | --bootstrap-servers HOST:PORT is missing",
            })
    void whatIsWrongIsSaidInOneSentence(String line, String sentence) {
        CommandRun run = run(line);

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.sentence()).startsWith("cutwater: " + sentence);
        assertThat(run.out()).isEmpty();
    }

    /** The command goes on, and there is no cluster. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "edge | 1 2 0,1 2 1,1 3 2,5 7 2 | 4 places from %s; the fullest partition has 1.50 times the mean, more"
                        + " than the 1.05 that cutwater keeps to; it is taken as it is, and a re-partitioning improves it",
                "edge | 1 2 0,1 2 1,1 3 2 | 3 places from %s; the fullest partition has 1.00 times the mean",
                "vertex | 0,2,2 | 3 places from %s; the fullest partition has 2.00 times the mean, more than the 1.05"
                        + " that cutwater keeps to; it is taken as it is, and a re-partitioning improves it"
            })
    void aGivenPartitioningThatIsOutOfBalanceIsReported(String kind, String lines, String sentence) throws IOException {
        Path places = Files.writeString(folder.resolve("places"), lines.strip().replace(',', '\n') + '\n');
        CommandRun run = run(
                "submit --flink 127.0.0.1:1 --bootstrap-servers 127.0.0.1:1 --partitions 3 --kind %s".formatted(kind)
                        + " --start-from " + places);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.sentence())
                .isEqualTo("cutwater: note: " + sentence.strip().formatted(places));
    }

    @ParameterizedTest
    @ValueSource(strings = {"status --flink 127.0.0.1:1", "stop --flink 127.0.0.1:1", "stop 0 --flink 127.0.0.1:1"})
    void aFlinkClusterThatIsNotThereIsSaidInOneSentence(String line) {
        CommandRun run = run(line);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.sentence()).isEqualTo("cutwater: no Flink cluster answers at 127.0.0.1:1; check --flink");
    }

    @Test
    void aClusterThatWasNeverStartedIsNotHealthyAndHasNothingToStop() {
        assertThat(run("cluster status").exitCode()).isEqualTo(1);
        assertThat(run("cluster status --json").out()).contains("\"running\" : false");
        CommandRun stop = run("cluster stop");
        assertThat(stop.exitCode()).isZero();
        assertThat(stop.out()).startsWith("No process of the cluster in");
    }
}
