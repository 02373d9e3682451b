package io.cutwater.trainer.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.trainer.shard.ShardCut;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MembersTest {
    private final Members members = new Members(Duration.ofMinutes(1));

    @Test
    void dealsInTurn() {
        assertThat(members.deal(List.of(0, 1))).isEmpty();
        members.heard("b");
        members.heard("a");
        assertThat(members.deal(List.of(4, 5, 6))).isEqualTo(Map.of("a", List.of(4, 6), "b", List.of(5)));
    }

    @Test
    void aNumberOfThreadsThatIsNotTrueTakesNoMemory() {
        members.heard("a");
        members.hasThreads("a", Integer.MAX_VALUE);
        assertThat(members.deal(List.of(0, 1))).isEqualTo(Map.of("a", List.of(0, 1)));
    }

    @Test
    void whoHasMoreThreadsGetsMoreShards() {
        members.heard("a");
        members.heard("b");
        members.hasThreads("b", 3);
        assertThat(members.deal(List.of(0, 1, 2, 3, 4, 5)))
                .isEqualTo(Map.of("a", List.of(0, 4), "b", List.of(1, 2, 3, 5)));
    }

    @Test
    void aShardGoesToWorkersThatHaveNotFailedToBuildIt() {
        members.heard("a");
        members.heard("b");
        members.begin(ShardCut.only(3));
        members.cannotBuild(0, "a", "its disk is full");
        assertThat(members.deal(List.of(0, 1, 2))).isEqualTo(Map.of("a", List.of(2), "b", List.of(0, 1)));
        members.begin(ShardCut.only(3));
        members.cannotBuild(0, "b", "its disk is full, too");
        assertThatThrownBy(() -> members.deal(List.of(0, 1, 2)))
                .hasMessage("no worker can build shard 0: its disk is full, too");
        members.heard("c");
        assertThat(members.deal(List.of(0))).isEqualTo(Map.of("c", List.of(0)));
        members.begin(ShardCut.only(4));
        assertThat(members.deal(List.of(0))).isEqualTo(Map.of("a", List.of(0)));
    }
}
