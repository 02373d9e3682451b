package io.cutwater.kafka.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.embedded.EmbeddedBroker;
import io.cutwater.kafka.replay.RandomShards.ShardChangeRecord;
import io.cutwater.kafka.replay.ShardCheck.Findings;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.kafka.topic.BrokerException;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.testkit.BrokerExtension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ShardCheckTest {
    @RegisterExtension
    private static final BrokerExtension<EmbeddedBroker> broker =
            new BrokerExtension<>(EmbeddedBroker::start, EmbeddedBroker::bootstrapServers);

    /** Reading on between commits, aborted and open transactions. */
    @ParameterizedTest(name = "{0}, seed {1}")
    @CsvSource({"EDGE, 1", "VERTEX, 2"})
    void findsNothingWrongWithAJobThatMovesAndRemoves(PartitioningKind kind, long seed) {
        try (ShardScene scene = new ShardScene(broker.bootstrapServers(), "moves-" + kind + "-")) {
            RandomShards graph = new RandomShards(seed, kind, 5);
            ShardCheck check = check(scene);
            for (int commit = 0; commit < 5; commit++) {
                EdgeMultiset before = graph.graph();
                for (int step = 0; step < 150; step++) {
                    graph.step(commit < 3);
                }
                List<ShardChangeRecord> records = graph.drain();
                scene.write(records.subList(0, records.size() / 2), false);
                scene.begin(records);
                assertThat(check.readOn().problem()).isEmpty();
                assertThat(check.differenceFrom(before)).isEmpty();
                scene.end(true);
                Findings findings = check.readOn();
                assertThat(findings.problem()).isEmpty();
                assertThat(findings.lost() + findings.doubled()).isZero();
                assertThat(findings.edges()).isEqualTo(graph.graph().copies());
                assertThat(check.differenceFrom(graph.graph())).isEmpty();
            }
            assertThat(check.shards()).hasSize(5);
            for (int shard = 0; shard < 5; shard++) {
                assertThat(RandomShards.text(check.shards().get(shard).edges())).isEqualTo(graph.shard(shard));
            }
        }
    }

    @Test
    void countsWhatAMoveLosesAndWhatItDoubles() {
        try (ShardScene scene = new ShardScene(broker.bootstrapServers(), "wrong-")) {
            ShardCheck check = check(scene);
            scene.write(List.of(record(0, Kind.ADD, 0, 1, 2), record(0, Kind.ADD, 0, 3, 4)), true);
            assertThat(check.readOn().problem()).isEmpty();
            scene.write(List.of(record(0, Kind.EVICT, 1, 1, 2), record(1, Kind.ADOPT, 1, 3, 4)), true);
            Findings findings = check.readOn();
            assertThat(findings.lost()).isEqualTo(1);
            assertThat(findings.doubled()).isEqualTo(1);
            assertThat(findings.generation()).isEqualTo(1);
            assertThat(findings.problem()).contains("edge (1, 2), counted -1 times: adopted less evicted");
            EdgeMultiset input = new EdgeMultiset();
            input.add(record(0, Kind.ADD, 0, 1, 2).edges());
            input.add(record(0, Kind.ADD, 0, 3, 4).edges());
            assertThat(check.differenceFrom(input))
                    .contains("1 edge is lost and 1 doubled or nobody's: edge (1, 2), counted -1 times");
        }
    }

    @Test
    void missesTheSecondCopyOfACutEdge() {
        try (ShardScene scene = new ShardScene(broker.bootstrapServers(), "cut-")) {
            ShardCheck check = check(scene);
            scene.write(List.of(owned(0, Kind.ADD_OWNED, 0, 1), owned(1, Kind.ADD_OWNED, 0, 1)), true);
            assertThat(check.readOn().problem()).isEmpty();
            scene.write(List.of(owned(1, Kind.EVICT_OWNED, 0, 1)), true);
            assertThat(check.readOn().problem())
                    .hasValueSatisfying(problem ->
                            assertThat(problem).contains("1 edges whose source they own and 0 whose target they own"));
        }
    }

    @Test
    void namesTheRecordWhoseEdgeWasNotThere() {
        try (ShardScene scene = new ShardScene(broker.bootstrapServers(), "torn-")) {
            scene.write(List.of(record(2, Kind.ADD, 0, 1, 2), record(2, Kind.REMOVE, 0, 7, 8)), true);
            assertThatThrownBy(() -> check(scene).readOn())
                    .isInstanceOf(BrokerException.class)
                    .hasMessage("topic torn-shards, topic partition 0, offset 1: edge (7, 8) leaves shard 2 (REMOVE)"
                            + " but is not in it: records of the topic are missing, or two jobs have written it");
        }
    }

    private static ShardCheck check(ShardScene scene) {
        return new ShardCheck(broker.bootstrapServers(), Map.of(), scene.topic());
    }

    private static ShardChangeRecord record(int shard, Kind kind, long generation, long source, long target) {
        EdgeBatch edges = new EdgeBatch(1);
        edges.add(source, target);
        return new ShardChangeRecord(shard, new Header(kind, generation), edges);
    }

    private static ShardChangeRecord owned(int shard, Kind kind, int ofSource, int ofTarget) {
        ShardChangeRecord record = record(shard, kind, 0, 1, 2);
        record.edges().setPlace(0, Place.of(ofSource, ofTarget));
        return record;
    }
}
