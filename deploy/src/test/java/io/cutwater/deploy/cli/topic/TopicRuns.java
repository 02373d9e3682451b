package io.cutwater.deploy.cli.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Commands on a graph that goes through the topics of a broker. */
final class TopicRuns {
    final String servers;
    final String graph;

    private final Path folder;

    /** @param folder of the graph and of the output of all runs */
    TopicRuns(String servers, Path folder) throws IOException {
        this.servers = servers;
        this.folder = folder;
        graph = Files.writeString(
                        folder.resolve("graph.txt"),
                        IntStream.range(0, 3_000)
                                .mapToObj(i -> i % 97 + " " + i * 31L % 1_009)
                                .collect(Collectors.joining("\n", "u v\n", "\nnot an edge\n")))
                .toString();
    }

    /** Runs a command line whose words have no spaces. */
    static CommandRun run(String line) {
        return CommandRun.of(Cutwater::run, line.split(" ", -1));
    }

    /** Runs a command that is to succeed. */
    static CommandRun succeed(String line) {
        CommandRun run = run(line);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run;
    }

    /** Returns the options of the topics with a prefix. */
    String topics(String prefix) {
        return "--bootstrap-servers %s --topic-prefix %s".formatted(servers, prefix);
    }

    /** Ingests the graph. */
    CommandRun ingest(String prefix) {
        return succeed("ingest --json --edges %s %s".formatted(graph, topics(prefix)));
    }

    /** Partitions by the greedy rule into 5 partitions. */
    CommandRun partition(String out, String options) {
        return run("partition --partitions 5 --algorithm greedy --out %s %s".formatted(folder.resolve(out), options));
    }

    /** Partitions the graph in its file. */
    CommandRun partitionFile(String out, String options) {
        return partition(out, "--edges %s %s".formatted(graph, options).strip());
    }

    /** Returns the options that partition the ingested graph and publish the shards. */
    String publish(String prefix) {
        return "--topic edges --publish --overwrite " + topics(prefix);
    }

    /** Checks that the shards have each edge of the graph once, and no other. */
    void checkShards(String prefix) {
        CommandRun check = succeed("shard check --edges %s %s".formatted(graph, topics(prefix)));
        assertThat(check.out()).isEqualTo("5 shards, generation 0: each of 3,000 edges is in its shard, once\n");
    }
}
