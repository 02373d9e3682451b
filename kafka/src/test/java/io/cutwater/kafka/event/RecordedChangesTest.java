package io.cutwater.kafka.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.kafka.event.mapped.TruncatedTableException;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records that Debezium wrote for a table of PostgreSQL; {@code debezium/README.md} says how. */
final class RecordedChangesTest {
    private static final Map<String, String> ENVELOPE = Map.of("source", "after.payer", "target", "after.payee");
    private static final Map<String, String> ROW = Map.of("source", "payer", "target", "payee");

    private final EdgeBatch batch = new EdgeBatch();

    /** Returns what each record does to the graph; nothing for one without an effect. */
    private List<String> effects(String file, Map<String, String> mapping, String... more) throws IOException {
        Map<String, String> options = new HashMap<>(mapping);
        options.put("event-format", "debezium-json");
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        EdgeEventDecoder decoder = RecordFormatOptions.parse(options).decoder(null);
        List<String> effects = new ArrayList<>();
        for (String line : lines(file)) {
            String[] record = line.split("\t", -1);
            batch.clear();
            try {
                decoder.decode(new ConsumerRecord<>("payments", 0, 17, bytes(record[0]), bytes(record[1])), batch);
                effects.addAll(edges());
            } catch (TruncatedTableException e) {
                effects.add("truncated");
            }
        }
        return effects;
    }

    private static List<String> lines(String file) throws IOException {
        try (InputStream in = RecordedChangesTest.class.getResourceAsStream("/debezium/" + file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    private static byte @Nullable [] bytes(String text) {
        return text.equals("null") ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private List<String> edges() {
        List<String> edges = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isRemovalOfAll(i)) {
                edges.add("-all");
                continue;
            }
            String edge = batch.isRemoval(i) && batch.hasKeys() ? "" : batch.source(i) + "-" + batch.target(i);
            edges.add((batch.isRemoval(i) ? "-" : "+") + edge + (batch.hasKeys() ? "#" + batch.key(i) : ""));
        }
        for (RejectedRecord record : batch.rejected()) {
            edges.add(record.reason().contains("REPLICA IDENTITY FULL") ? "old row unknown" : record.reason());
        }
        return edges;
    }

    @Test
    void wholeOldRowsNameTheirEdges() throws IOException {
        assertThat(effects("full.tsv", ENVELOPE))
                .containsExactly(
                        "+10-20", "+11-21", "-11-21", "+11-22", "-11-22", "+11-22", "-11-22", "truncated", "+12-23");
        assertThat(effects("schemas.tsv", ENVELOPE))
                .containsExactly("+10-20", "-11-21", "+11-22", "-11-22", "truncated");
    }

    /** In the old rows the ends, which are NOT NULL, are 0. */
    @Test
    void oldRowsThatDebeziumFilledInNameNoEdge() throws IOException {
        assertThat(effects("default.tsv", ENVELOPE, "on-truncate", "ignore"))
                .containsExactly(
                        "+10-20",
                        "+11-21",
                        "old row unknown",
                        "old row unknown",
                        "old row unknown",
                        "+11-22",
                        "old row unknown",
                        "+12-23");
        assertThat(effects("rows.tsv", ROW, "tombstones", "ignore"))
                .filteredOn("old row unknown"::equals)
                .hasSize(2);
    }

    @Test
    void keysNameTheEdgesOfRowsThatAreNotLogged() throws IOException {
        assertThat(effects("default.tsv", ENVELOPE, "edge-key", "after.id"))
                .containsExactly(
                        "+10-20#1",
                        "+11-21#2",
                        "+11-22#2",
                        "+11-22#2",
                        "-#2",
                        "+11-22#3",
                        "-#3",
                        "truncated",
                        "+12-23#4");
        assertThat(effects("rows.tsv", ROW, "edge-key", "id", "tombstones", "ignore"))
                .containsExactly("+10-20#1", "+11-21#2", "+11-22#2", "+11-22#2", "-#2", "+11-22#3", "-#3", "+12-23#4");
    }

    @Test
    void aTruncateRemovesAllEdgesWithKeysIfThatIsWanted() throws IOException {
        assertThat(effects("default.tsv", ENVELOPE, "edge-key", "after.id", "on-truncate", "remove"))
                .endsWith("-#3", "-all", "+12-23#4");
        assertThatThrownBy(() -> effects("default.tsv", ENVELOPE, "on-truncate", "remove"))
                .hasMessageContaining("--on-truncate remove needs --edge-key");
        assertThatThrownBy(() -> effects("rows.tsv", ROW, "edge-key", "id", "on-truncate", "remove"))
                .hasMessageContaining("rows without envelopes tell no truncate");
    }

    @Test
    void aTopicWithSeveralPartitionsIsRefusedWhereATruncateRemovesEdges() {
        EdgeEventDecoder decoder = RecordFormatOptions.parse(Map.of(
                        "event-format", "debezium-json",
                        "source", "after.payer",
                        "target", "after.payee",
                        "edge-key", ":key",
                        "on-truncate", "remove"))
                .decoder(null);
        assertThatThrownBy(
                        () -> decoder.decode(new ConsumerRecord<>("payments", 1, 17, bytes("k"), bytes("null")), batch))
                .hasMessageContaining("payments has a record in partition 1")
                .hasMessageContaining("needs a topic with one partition");
    }

    /** A column that is not in the primary key, and that is 0 in the old rows. */
    @Test
    void aKeyThatDebeziumFilledInRemovesNoEdge() throws IOException {
        assertThat(effects("default.tsv", ENVELOPE, "edge-key", "after.payer", "on-truncate", "ignore"))
                .filteredOn(effect -> effect.contains("whose key is not in its value"))
                .hasSize(2);
        assertThat(effects("default.tsv", ENVELOPE, "edge-key", "after.payer", "on-truncate", "ignore"))
                .doesNotContain("-#0");
    }
}
