package io.cutwater.state.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.MapVertexStore;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class BucketTableTest {
    private static final int K = 4;
    private static final long RUN = 77;
    private static final long SMALLEST_CACHE = 1;
    private static final int VERTICES = 100;

    private final MapVertexStore store = new MapVertexStore();
    private final VertexTable vertices =
            new VertexTable(new VertexLayout(K, false), store, SMALLEST_CACHE, 0, VertexTable.Listener.NONE);
    private final BucketTable table =
            new BucketTable(vertices, new BucketLedger[] {new BucketLedger(K)}, 0, 1, 1, 0, RUN);

    private static Lookup lookup(long number, int first, int count) {
        return lookup(number, 0, first, count);
    }

    private static Lookup lookup(long number, int assigner, int first, int count) {
        Lookup lookup = new Lookup().reset(number, assigner, 0, 0);
        for (int i = 0; i < count; i++) {
            lookup.add(first + i, 1);
        }
        return lookup;
    }

    private void look(Lookup lookup) {
        table.look(lookup, views -> assertThat(views.size()).isEqualTo(lookup.size()));
    }

    @Test
    void readsTheVerticesOfALookupAndOfAnUpdateInOneGo() {
        look(lookup(1, 0, VERTICES));
        vertices.flush();
        int readsBefore = store.readCalls();
        int singleReadsBefore = store.singleReads();
        look(lookup(2, 0, 10));
        assertThat(store.readCalls() - readsBefore).isOne();
        VertexBatch added = new VertexBatch();
        for (int vertex = 40; vertex < 50; vertex++) {
            added.add(vertex, 0, 1);
            added.addReplica(1);
        }
        table.apply(new VertexUpdate(RUN, 0, 5, 0, 1, added));
        assertThat(store.readCalls() - readsBefore).isEqualTo(2);
        assertThat(store.singleReads()).isEqualTo(singleReadsBefore);
    }

    @Test
    void theFirstProposalDecidesOnAnOwnerAndAllAreTold() {
        BucketTable shared = new BucketTable(vertices, new BucketLedger[] {new BucketLedger(K)}, 0, 1, 2, 0, RUN);
        shared.look(lookup(1, 0, 7, 1), views -> {});
        shared.look(lookup(1, 1, 7, 1), views -> {});
        for (int assigner = 0; assigner < 2; assigner++) {
            VertexBatch proposals = new VertexBatch();
            proposals.add(7, 0, VertexUpdate.proposal(assigner));
            shared.apply(new VertexUpdate(RUN, assigner, assigner, 0, 1, proposals));
            List<Integer> told = new ArrayList<>();
            shared.tellNews(news -> {
                assertThat(news.size()).isEqualTo(1);
                assertThat(news.records()[0]).isEqualTo(7);
                told.add(news.assigner());
            });
            assertThat(told).containsExactly(0, 1);
            assertThat(vertices.master(vertices.slot(7))).isZero();
        }
        assertThat(shared.owned())
                .containsExactly(LongStream.range(0, K).map(p -> p == 0 ? 1 : 0).toArray());
    }

    @Test
    void tellsNothingToAnAssignerThatHasNotAskedYet() {
        BucketTable shared = new BucketTable(vertices, new BucketLedger[] {new BucketLedger(K)}, 0, 1, 2, 0, RUN);
        shared.look(lookup(1, 0, 7, 1), views -> {});
        VertexBatch added = new VertexBatch();
        added.add(7, 0, 1);
        added.addReplica(1);
        List<Integer> told = new ArrayList<>();
        shared.apply(new VertexUpdate(RUN, 0, 5, 0, 1, added));
        shared.tellNews(news -> {
            assertThat(news.size()).isZero();
            told.add(news.assigner());
        });
        assertThat(told).as("is told that its update is there").containsExactly(0);
        told.clear();
        shared.look(lookup(1, 1, 8, 1), views -> {});
        shared.apply(new VertexUpdate(RUN, 0, 5, 0, 2, added));
        shared.tellNews(news -> told.add(news.assigner() + 10 * news.size()));
        assertThat(told).containsExactly(0, 11);
    }

    @Test
    void tellsAllAssignersOfATableThatIsNotNew() {
        BucketLedger[] ledgers = {new BucketLedger(K)};
        ledgers[0].create(1);
        BucketTable shared = new BucketTable(vertices, ledgers, 0, 1, 2, 0, RUN);
        VertexBatch added = new VertexBatch();
        added.add(7, 0, 1);
        shared.apply(new VertexUpdate(RUN, 0, 5, 0, 1, added));
        List<Integer> told = new ArrayList<>();
        shared.tellNews(news -> told.add(news.assigner() + 10 * news.size()));
        assertThat(told)
                .as("buffered edges of a checkpoint need their vertices")
                .containsExactly(0, 11);
    }

    @Test
    void anEndThatCountsMoreUpdatesThanCameIsRefused() {
        VertexBatch added = new VertexBatch();
        added.add(0, 0, 1);
        added.addReplica(1);
        table.apply(new VertexUpdate(RUN, 0, 5, 0, 1, added));
        Lineage lineage = new Lineage(5, new long[] {2}, List.of());
        assertThatThrownBy(() -> table.apply(VertexUpdate.end(RUN, 0, 0, List.of(lineage))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("end with update 2, and the last that came is update 1")
                .hasMessageContaining("an update was lost on topic vertex-updates");
        assertThatThrownBy(() -> table.apply(VertexUpdate.end(RUN, 0, 0, List.of())))
                .hasMessageContaining("does not say what was sent");
        assertThat(table.hasEnded()).isFalse();
        table.apply(new VertexUpdate(RUN, 0, 5, 0, 2, added));
        Lineage unused = new Lineage(6, 1);
        table.apply(VertexUpdate.end(RUN, 0, 0, List.of(lineage, unused)));
        assertThat(table.hasEnded()).isTrue();
    }

    @Test
    void countsWhatLookupsMissAndNotWhatUpdatesDo() {
        assertThat(table.hitRate()).isOne();
        look(lookup(1, 0, VERTICES));
        assertThat(table.hitRate()).as("all new").isZero();
        look(lookup(2, VERTICES - 1, 1));
        assertThat(table.lookups()).isEqualTo(VERTICES + 1);
        assertThat(table.hitRate()).isEqualTo(1 - (double) VERTICES / (VERTICES + 1));
        VertexBatch added = new VertexBatch();
        added.add(0, 0, 1);
        added.addReplica(1);
        table.apply(new VertexUpdate(RUN, 0, 5, 0, 1, added));
        assertThat(table.lookups()).isEqualTo(VERTICES + 1);
        assertThat(table.hitRate()).isEqualTo(1 - (double) VERTICES / (VERTICES + 1));
        assertThat(table.applied()).isOne();
    }
}
