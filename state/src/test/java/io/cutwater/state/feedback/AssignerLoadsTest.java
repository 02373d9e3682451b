package io.cutwater.state.feedback;

import static io.cutwater.state.table.PartitionLoads.rankOf;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AssignerLoadsTest {
    private final AssignerLoads loads = new AssignerLoads(2);

    @Test
    void nothingIsToldBeforeAllHaveTold() {
        loads.tell(1, new long[] {rankOf(3, 10), rankOf(0, 4)});
        assertThat(loads.areDue()).isFalse();
        loads.tell(0, new long[] {rankOf(3, 5)});
        assertThat(loads.areDue()).isTrue();
        assertThat(newsOf(0)).containsExactly(rankOf(0, 4), 0, rankOf(3, 15), 5);
        assertThat(newsOf(1)).containsExactly(rankOf(0, 4), 4, rankOf(3, 15), 10);
    }

    @Test
    void onlyWhatHasChangedIsToldAgain() {
        loads.tell(0, new long[] {rankOf(0, 1)});
        loads.tell(1, new long[] {rankOf(1, 1)});
        loads.told();
        assertThat(loads.areDue()).isFalse();
        loads.tell(1, new long[] {rankOf(1, 7)});
        loads.tell(1, new long[] {rankOf(1, 7)}); // the loop may deliver it twice
        assertThat(newsOf(0)).containsExactly(rankOf(1, 7), 0);
    }

    private long[] newsOf(int assigner) {
        Views news = new Views().reset(Views.NEWS, assigner, 0, 1, 2);
        loads.write(news);
        return news.loads();
    }
}
