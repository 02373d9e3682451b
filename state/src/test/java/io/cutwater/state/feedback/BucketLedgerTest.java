package io.cutwater.state.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.VertexLayout;
import io.cutwater.state.table.VertexTable;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class BucketLedgerTest {
    private static final String FIELDS = "00000002" + "0000000000000003" + "0000000000000001" + "0000000000000000"
            + "0000000000000001" + "00000001" + "ffffffffffffffff" + "0000000000000004";
    private static final String VERSION_1 = "01" + FIELDS;
    private static final String VERSION_2 = "02" + FIELDS;
    private static final String VERSION_3 =
            "03" + FIELDS + "00000001" + "0000000000000007" + "fffffffffffffffe" + "00000002";

    @Test
    void theBytesAreThoseOfTheTable() {
        assertThat(HexFormat.of().formatHex(ledger().toBytes())).isEqualTo(VERSION_3);
    }

    @Test
    void removalsByKeyAreVersion4() {
        BucketLedger keyed = ledger();
        keyed.askRemoval(7, -2, 9);
        String golden = "04" + FIELDS + "00000002"
                + "0000000000000007" + "fffffffffffffffe" + "00000002" + "8000000000000000"
                + "0000000000000007" + "fffffffffffffffe" + "00000001" + "0000000000000009";
        assertThat(HexFormat.of().formatHex(keyed.toBytes())).isEqualTo(golden);
        BucketLedger read = BucketLedger.fromBytes(HexFormat.of().parseHex(golden), 2);
        assertThat(read.askRemoval(7, -2, 9)).isEqualTo(2);
        assertThat(read.askRemoval(7, -2, EdgeBatch.NO_KEY)).isEqualTo(3);
    }

    @Test
    void ownersAreVersion5() {
        BucketLedger ledger = ledger();
        VertexTable vertices = new VertexTable(new VertexLayout(2, false));
        ledger.propose(vertices, vertices.slot(8), 0);
        ledger.propose(vertices, vertices.slot(8), 1);
        assertThat(vertices.master(vertices.slot(8)))
                .as("the first proposal counts")
                .isZero();
        assertThat(vertices.hasReplica(vertices.slot(8), 1)).isFalse();
        byte[] bytes = ledger.toBytes();
        String golden = "05" + "00000002" + "0000000000000003" + "0000000000000002" + "0000000000000001"
                + "0000000000000001" + "0000000000000001" + "0000000000000000"
                + VERSION_3.substring(VERSION_3.indexOf("00000001ffffffffffffffff"));
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(golden);
        long[] owned = new long[2];
        BucketLedger.fromBytes(bytes, 2).addOwned(owned);
        assertThat(owned).containsExactly(1, 0);
    }

    @Test
    void ownersWithoutEdgesAreVersion6() {
        BucketLedger ledger = ledger();
        VertexTable vertices = new VertexTable(new VertexLayout(2, false));
        ledger.propose(vertices, vertices.slot(8), 0);
        ledger.idle().add(8, 0, 3);
        ledger.askRemoval(7, -2, 9);
        byte[] bytes = ledger.toBytes();
        String golden = "06" + "00000002" + "0000000000000003" + "0000000000000002" + "0000000000000001"
                + "0000000000000001" + "0000000000000001" + "0000000000000000"
                + VERSION_2.substring(VERSION_2.indexOf("00000001ffffffffffffffff"))
                + "01" + "00000002"
                + "0000000000000007" + "fffffffffffffffe" + "00000002" + "8000000000000000"
                + "0000000000000007" + "fffffffffffffffe" + "00000001" + "0000000000000009"
                + "00000001" + "0000000000000008" + "0000";
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(golden);
        BucketLedger read = BucketLedger.fromBytes(bytes, 2);
        assertThat(read.idle().toArray()).containsExactly(8);
        assertThat(read.idle().question(8)).isEqualTo(IdleVertices.NO_QUESTION);
        assertThat(read.askRemoval(7, -2, 9)).isEqualTo(2);
        long[] owned = new long[2];
        read.addOwned(owned);
        assertThat(owned).as("without those that have no edge").containsExactly(0, 0);
        read.disown(vertices, vertices.slot(8));
        read.idle().remove(8);
        read.addOwned(owned);
        assertThat(owned).containsExactly(0, 0);
        assertThat(read.createdVertices()).isEqualTo(2);
    }

    @Test
    void readsItsBytesAndThoseOfVersion2() {
        BucketLedger read = BucketLedger.fromBytes(HexFormat.of().parseHex(VERSION_3), 2);
        assertThat(read.askRemoval(7, -2, EdgeBatch.NO_KEY)).isEqualTo(3);
        BucketLedger before = BucketLedger.fromBytes(HexFormat.of().parseHex(VERSION_2), 2);
        assertThat(before.removals().isEmpty()).isTrue();
        assertThat(before.takeBookDue()).isFalse();
        assertThat(before.takeChange()).isFalse();
    }

    @Test
    void readsWhatVersion1Wrote() {
        BucketLedger read = BucketLedger.fromBytes(HexFormat.of().parseHex(VERSION_1), 2);
        assertThat(read.createdVertices()).isEqualTo(3);
        assertThat(read.counts().vertices()).isEqualTo(1);
        assertThat(read.counts().replicas(1)).isEqualTo(1);
        assertThat(read.applied(-1)).isEqualTo(4);
        assertThat(read.applied(5)).isZero();
        assertThat(read.takeChange()).isFalse();
        assertThat(read.takeBookDue())
                .as("version 1 left degrees out of the book")
                .isTrue();
        assertThat(read.takeChange()).isTrue();
        assertThat(BucketLedger.fromBytes(read.toBytes(), 2).takeBookDue()).isFalse();
    }

    @Test
    void whatDoesNotFitTheJobIsRefused() {
        byte[] bytes = ledger().toBytes();
        assertThatThrownBy(() -> BucketLedger.fromBytes(bytes, 3)).hasMessageContaining("--partitions 2");
        bytes[0] = 9;
        assertThatThrownBy(() -> BucketLedger.fromBytes(bytes, 2)).hasMessageContaining("version 9");
    }

    @Test
    void onlyWhoHasSentALineageInThisRunIsToldOfIt() {
        BucketLedger ledger = ledger();
        Views all = new Views().reset(1, 3, 0, 1, 3);
        ledger.confirm(2, all);
        assertThat(all.lineageCount()).isEqualTo(1);
        Views none = new Views().reset(1, 2, 0, 1, 3);
        ledger.confirm(2, none);
        assertThat(none.lineageCount()).isZero();
        ledger.confirmAll(2, none);
        assertThat(none.confirmedOf(-1)).isEqualTo(4);
    }

    private static BucketLedger ledger() {
        BucketLedger ledger = new BucketLedger(2);
        ledger.create(3);
        ledger.counts().add(1, true);
        ledger.askRemoval(7, -2, EdgeBatch.NO_KEY);
        ledger.askRemoval(7, -2, EdgeBatch.NO_KEY);
        ledger.apply(new VertexUpdate(1, 3, -1, 0, 4, new VertexBatch(0)));
        return ledger;
    }
}
