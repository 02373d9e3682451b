package io.cutwater.flink.operator.assigner;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.store.VertexStore;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FlushPaceTest {
    @Test
    void theBoundFallsUntilTheNextBarrierIsDue() {
        FlushPace pace = new FlushPace(1_000_000);
        pace.barrier(1_000_000);
        pace.barrier(1_004_000); // the interval is 4 s from now on
        assertThat(pace.maxDirty(1_004_000)).isEqualTo(FlushPace.AT_BARRIER + 4 * FlushPace.PER_SECOND);
        assertThat(pace.maxDirty(1_007_000)).isEqualTo(FlushPace.AT_BARRIER + FlushPace.PER_SECOND);
        assertThat(pace.maxDirty(1_008_000)).isEqualTo(FlushPace.AT_BARRIER);
        assertThat(pace.maxDirty(1_100_000)).isEqualTo(FlushPace.AT_BARRIER);
        pace.barrier(1_100_000);
        assertThat(pace.maxDirty(1_100_000)).isGreaterThan(FlushPace.AT_BARRIER);
    }

    @Test
    void aFirstBarrierSoonAfterTheStartSaysNothingAboutTheNext() {
        FlushPace pace = new FlushPace(1_000_000);
        int atStart = pace.maxDirty(1_000_000);
        pace.barrier(1_000_020);
        assertThat(pace.maxDirty(1_000_020)).isEqualTo(atStart);
    }

    @Test
    void writesAheadInGroupsDownToTheBound() {
        FlushPace pace = new FlushPace(1_000_000);
        pace.barrier(1_000_000);
        pace.barrier(1_000_000); // the next one is due at once
        List<Integer> writes = new ArrayList<>();
        VertexStore store = new VertexStore() {
            @Override
            public byte @Nullable [] read(long vertex) {
                return null;
            }

            @Override
            public void write(long[] vertices, byte[] @Nullable [] values, int count) {
                writes.add(count);
            }
        };
        VertexTable table = new VertexTable(new VertexLayout(4, false), store, 1 << 30, 0, VertexTable.Listener.NONE);
        for (int vertex = 0; vertex < FlushPace.AT_BARRIER + FlushPace.GROUP; vertex++) {
            table.slot(vertex);
        }
        pace.writeAhead(table, 1_000_000);
        assertThat(writes).isEmpty();
        table.slot(-1);
        pace.writeAhead(table, 1_000_000);
        assertThat(table.dirtyCount()).isEqualTo(FlushPace.AT_BARRIER);
        assertThat(writes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(FlushPace.GROUP + 1);
    }

    @Test
    void daysBetweenBarriersDoNotOverflow() {
        FlushPace pace = new FlushPace(0);
        pace.barrier(0);
        pace.barrier(1_000_000_000L);
        assertThat(pace.maxDirty(1_000_000_000L)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void aClockSetBackKeepsTheBoundAboveThatOfABarrier() {
        FlushPace pace = new FlushPace(1_000_000);
        pace.barrier(1_000_000);
        pace.barrier(500_000);
        assertThat(pace.maxDirty(500_000)).isEqualTo(FlushPace.AT_BARRIER);
    }
}
