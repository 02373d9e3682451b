package io.cutwater.deploy.cli.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.format.folder.Manifest;
import io.cutwater.format.folder.RunInput;
import io.cutwater.format.folder.ShardFolder;
import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.topic.TopicSpec;
import io.cutwater.kafka.topic.Topics;
import io.cutwater.testkit.BrokerExtension;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The shards of a topic as of an earlier moment, by offsets and by time. */
class TimeTravelIT {
    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    private static void ingest(String prefix, String name, List<String> lines, String... more) throws IOException {
        Path file = Files.write(folder.resolve(name), lines);
        CommandRun run = CommandRun.of(
                Cutwater::run,
                "ingest --event-format json --topic-prefix %s --bootstrap-servers %s --edges %s %s"
                        .formatted(prefix, broker.bootstrapServers(), file, String.join(" ", more))
                        .strip()
                        .split(" +"));
        assertThat(run.exitCode()).as(run.err()).isZero();
    }

    private static CommandRun partition(String prefix, String out, String until) {
        return CommandRun.of(
                Cutwater::run,
                "partition --algorithm hdrf --partitions 3 --topic edges --event-format json --topic-prefix %s --bootstrap-servers %s --out %s --until %s"
                        .formatted(prefix, broker.bootstrapServers(), folder.resolve(out), until)
                        .split(" +"));
    }

    private static ShardFolder shards(String out, String until) throws IOException {
        CommandRun run = partition("t-", out, until);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return ShardFolder.open(folder.resolve(out));
    }

    private static List<String> edges(ShardFolder shards) throws IOException {
        List<String> edges = new ArrayList<>();
        shards.readEdges((shard, batch) -> {
            for (int i = 0; i < batch.size(); i++) {
                edges.add(batch.source(i) + " " + batch.target(i));
            }
        });
        return edges;
    }

    private static Map<String, String> hashes(Manifest manifest) {
        Map<String, String> hashes = new TreeMap<>(manifest.files());
        hashes.remove("report.json"); // has the seconds that it took
        return hashes;
    }

    @Test
    void theShardsAreThoseOfTheMomentHoweverTheTopicGoesOn() throws IOException {
        List<String> added =
                IntStream.range(0, 300).mapToObj(i -> i + " " + i * 31 % 101).toList();
        ingest("t-", "added.txt", added);
        long between = awaitNextMilli();
        // The offset 300 is the mark of the first transaction.
        ingest("t-", "removed.txt", added.subList(100, 200), "--op", "remove");

        assertThat(edges(shards("at-time", "@" + between))).containsExactlyInAnyOrderElementsOf(added);
        ShardFolder first = shards("at-offset", "0:351");
        List<String> left = new ArrayList<>(added.subList(0, 100));
        left.addAll(added.subList(150, 300));
        assertThat(edges(first)).containsExactlyInAnyOrderElementsOf(left);

        ingest("t-", "more.txt", List.of("1 1", "2 2"));
        ShardFolder again = shards("again", "0:351");
        assertThat(hashes(again.manifest())).isEqualTo(hashes(first.manifest())).isNotEmpty();
        assertThat(again.manifest().run().input())
                .containsExactly(new RunInput.Topic("t-edges", List.of(new RunInput.Offsets(0, 0, 351))));
        assertThat(edges(shards("before-all", "1970-01-02T00:00:00Z"))).isEmpty();
    }

    /** The time of a record that is sent now is that or later, and was not that of any before. */
    private static long awaitNextMilli() {
        long last = System.currentTimeMillis();
        long now = last;
        while (now == last) {
            Thread.onSpinWait();
            now = System.currentTimeMillis();
        }
        return now;
    }

    @Test
    void aBadRecordAmongMoreThatWereTakenAwayIsOneOfMany() throws IOException {
        List<String> lines = IntStream.range(0, 20).mapToObj(i -> i + " 0").toList();
        ingest("gone-", "gone.txt", lines);
        ingest("gone-", "gone.txt", lines, "--op", "remove");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(ClientSettings.producer(broker.bootstrapServers(), Map.of()))) {
            producer.send(new ProducerRecord<>("gone-edges", new byte[] {'?'}));
        }
        // 1 of 41, and of 1 if only what is left were counted. Two offsets are the marks of transactions.
        CommandRun run = partition("gone-", "gone", "0:43 --max-malformed 0.05");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).contains("cutwater: 20 edges were removed again");
        assertThat(edges(ShardFolder.open(folder.resolve("gone")))).isEmpty();
    }

    @Test
    void aMomentThatTheTopicDoesNotHaveIsSaidInOneSentence() {
        Topics topics = new Topics("two-");
        try (TopicAdmin admin = TopicAdmin.connect(broker.bootstrapServers(), Map.of())) {
            TopicSpec edges = topics.spec(topics.edges(), 2);
            admin.ensure(edges);
        }
        assertRefused("0:7,1:0", "--until 0:7 is not in topic two-edges, which has offsets 0 to 0 there");
        assertRefused("0:0,2:0", "--until 2:0 is not in topic two-edges, which has no such topic partition");
        assertRefused(
                "0:0", "--until names no offset of topic partition 1 of topic two-edges; name one of each, or a time");
    }

    private static void assertRefused(String until, String sentence) {
        CommandRun run = partition("two-", "refused", until);
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.sentence()).contains(sentence);
        assertThat(folder.resolve("refused")).doesNotExist();
    }
}
