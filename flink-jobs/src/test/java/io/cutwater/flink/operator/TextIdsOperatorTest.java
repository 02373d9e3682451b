package io.cutwater.flink.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.types.graph.EdgeBatchSerializer;
import io.cutwater.kafka.textid.TextIds;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.text.VertexTexts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class TextIdsOperatorTest {
    private static EdgeBatchHarness open(long seed, @Nullable OperatorSubtaskState restored) throws Exception {
        return EdgeBatchHarness.open(new TextIdsOperator(new TextIds(seed), "edges"), restored);
    }

    /** An edge whose ends have these texts, of which the length is the id: "ab" and "xy" collide. */
    private static void add(EdgeBatch batch, String source, String target, boolean tells) {
        batch.add(source.length(), target.length());
        int position = VertexTexts.sourceOf(batch.size() - 1);
        for (String text : tells ? List.of(source, target) : List.<String>of()) {
            byte[] bytes = text.getBytes(UTF_8);
            batch.texts().add(position++, text.length(), text.hashCode(), bytes, 0, bytes.length);
        }
    }

    private static EdgeBatch edge(String source, String target) throws IOException {
        EdgeBatch batch = new EdgeBatch();
        add(batch, source, target, true);
        DataOutputSerializer out = new DataOutputSerializer(64);
        EdgeBatchSerializer.INSTANCE.serialize(batch, out);
        return EdgeBatchSerializer.INSTANCE.deserialize(
                new EdgeBatch(1), new DataInputDeserializer(out.getCopyOfBuffer()));
    }

    private static List<String> outputs(EdgeBatchHarness harness, EdgeBatch rows) throws Exception {
        List<String> all = new ArrayList<>();
        for (EdgeBatch batch : harness.batches(rows)) {
            VertexTexts texts = batch.texts();
            for (int i = 0; i < texts.size(); i++) {
                int from = texts.from(i);
                all.add(texts.id(i) + "=" + new String(texts.bytes(), from, texts.to(i) - from, UTF_8));
            }
            for (int i = 0; i < batch.size(); i++) {
                all.add(batch.source(i) + " " + batch.target(i));
            }
            batch.rejected().forEach(rejected -> all.add(rejected.reason().replaceFirst(", so.*", "")));
        }
        return all;
    }

    @Test
    void textsOfNewVerticesGoOnOnceAlsoAfterARestart() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = open(3, null)) {
            assertThat(outputs(harness, edge("a", "bc"))).containsExactly("1=a", "2=bc", "1 2");
            assertThat(outputs(harness, edge("bc", "def"))).containsExactly("3=def", "2 3");
            snapshot = harness.snapshot(1, 1);
            // What comes after the barrier is lost with the attempt.
            assertThat(outputs(harness, edge("ghij", "a"))).containsExactly("4=ghij", "4 1");
        }
        try (var harness = open(3, snapshot)) {
            assertThat(outputs(harness, edge("ghij", "a"))).containsExactly("4=ghij", "4 1");
            assertThat(outputs(harness, edge("bc", "def"))).containsExactly("2 3");
        }
    }

    @Test
    void anEdgeOfATextWhoseIdBelongsToAnotherIsRejectedUntilTheOtherComes() throws Exception {
        try (var harness = open(3, null)) {
            assertThat(outputs(harness, edge("ab", "c"))).containsExactly("2=ab", "1=c", "2 1");
            String why = "vertex 'xy' has the same 64-bit hash as another text";
            EdgeBatch rows = edge("xy", "c");
            add(rows, "c", "xy", false); // the decoder has told it
            add(rows, "c", "c", false);
            assertThat(outputs(harness, rows)).containsExactly("1 1", why, why);
            rows = new EdgeBatch();
            add(rows, "xy", "c", false);
            add(rows, "ab", "c", true);
            add(rows, "ab", "c", false);
            assertThat(outputs(harness, rows)).containsExactly("2 1", "2 1", why);
            assertThat(outputs(harness, edge("def", "ab"))).containsExactly("3=def", "3 2");
        }
    }

    @Test
    void anotherSeedAndAStateOfIntegersAreRefused() throws Exception {
        OperatorSubtaskState snapshot;
        try (var harness = open(3, null)) {
            snapshot = harness.snapshot(1, 1);
        }
        assertThatThrownBy(() -> open(4, snapshot))
                .rootCause()
                .hasMessageContaining(
                        "the job began with --ids-seed 3, by which its vertices have their ids, and not 4");
        assertThatThrownBy(() -> open(3, EdgeBatchHarness.OF_OTHERS))
                .rootCause()
                .hasMessageContaining("the job began without --ids text");
    }
}
