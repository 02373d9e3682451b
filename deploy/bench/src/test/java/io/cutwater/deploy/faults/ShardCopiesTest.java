package io.cutwater.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShardCopiesTest {
    private final ShardCopies copies = new ShardCopies();

    @Test
    void anEdgeThatIsMissingAndOneTooManyAreTold() {
        enter(Kind.ADD, 0, 1, 2);
        enter(Kind.ADD, 1, 1, 2);
        assertThat(copies.compare(Map.of(new Edge(1, 2), 2), 2)).isEmpty();
        assertThat(copies.compare(Map.of(new Edge(1, 2), 1), 2))
                .isEqualTo("0 edges are missing, 1 too many, such as 1 2");
        assertThat(copies.compare(Map.of(new Edge(1, 2), 2, new Edge(3, 4), 1), 2))
                .isEqualTo("1 edges are missing, 0 too many, such as 3 4");
    }

    @Test
    void anEdgeThatLeavesIsGoneAndOneThatMovesIsInItsNewShardOnly() {
        enter(Kind.ADD, 2, 1, 2);
        enter(Kind.ADD, 2, 3, 4);
        enter(Kind.REMOVE, 2, 3, 4);
        assertThat(copies.compare(Map.of(new Edge(1, 2), 1), 3)).isEmpty();
        assertThat(copies.compare(Map.of(new Edge(1, 2), 1), 2)).contains("1 edges are in shards from 2 on");
        enter(Kind.ADOPT, 0, 1, 2);
        enter(Kind.EVICT, 2, 1, 2);
        assertThat(copies.compare(Map.of(new Edge(1, 2), 1), 2)).isEmpty();
    }

    @Test
    void aCutEdgeMustBeInTheShardsOfBothOwners() {
        int place = Place.of(0, 1);
        enterOwned(0, place);
        assertThat(copies.compare(Map.of(new Edge(1, 2), 1), 2))
                .contains("1 cut edges are not in the shards of both owners");
        enterOwned(1, place);
        assertThat(copies.compare(Map.of(new Edge(1, 2), 1), 2)).isEmpty();
    }

    @Test
    void aVertexHasTheDegreeOfItsEdgesAndAllShardsThatHaveThem() {
        enter(Kind.ADD, 0, 1, 2);
        enter(Kind.ADD, 2, 1, 2);
        enter(Kind.ADD, 2, 1, 1);
        assertThat(copies.vertices())
                .isEqualTo(Map.of(1L, "degree 4 in shards [0, 2]", 2L, "degree 2 in shards [0, 2]"));
        enter(Kind.REMOVE, 2, 1, 2);
        assertThat(copies.vertices()).containsEntry(2L, "degree 1 in shards [0]");
    }

    @Test
    void aCutEdgeCountsOnceForTheDegreesOfItsEnds() {
        enterOwned(0, Place.of(0, 1));
        enterOwned(1, Place.of(0, 1));
        assertThat(copies.vertices())
                .isEqualTo(Map.of(1L, "degree 1 in shards [0, 1]", 2L, "degree 1 in shards [0, 1]"));
    }

    private void enter(Kind kind, int shard, long source, long target) {
        EdgeBatch edges = new EdgeBatch();
        edges.add(source, target);
        copies.add(shard, new Header(kind, 0), edges);
    }

    private void enterOwned(int shard, int place) {
        EdgeBatch edges = new EdgeBatch();
        edges.add(1, 2);
        edges.setPlace(0, place);
        copies.add(shard, new Header(Kind.ADD_OWNED, 0), edges);
    }
}
