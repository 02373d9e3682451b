package io.cutwater.trainer.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.VertexData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeGraphTest {
    private static final int KNOWN = 10;

    @TempDir
    Path temp;

    /** Names each of many vertices without data twice, before and after those with data in the order of ids. */
    @Test
    void hasVerticesWithoutDataOnceIfTheyAreAllowed() throws IOException {
        VertexData data = new RandomGraph(4, KNOWN, 1, 6, 2, 0.9).data(temp, FeatureScaling.NONE);
        List<String> lines = new ArrayList<>();
        for (int i = 1; i <= 3_000; i++) {
            lines.add("-%d %d".formatted(i, KNOWN + i));
            lines.add("%d -%d".formatted(KNOWN + i, i));
        }
        lines.add("0 1");
        Path edges = Files.write(temp.resolve("edges.txt"), lines);
        assertThat(vertices(new WholeGraph(List.of(edges), null, data, ShapeOptions.FOUND)))
                .containsExactlyElementsOf(LongStream.range(0, KNOWN).boxed().toList());
        ShapeOptions allowing = ShapeOptions.FOUND.allowingMissingFeatures(true);
        assertThat(vertices(new WholeGraph(List.of(edges), null, data, allowing)))
                .containsExactlyElementsOf(LongStream.rangeClosed(-3_000, KNOWN + 3_000)
                        .filter(vertex -> vertex != KNOWN)
                        .boxed()
                        .toList());
    }

    private static List<Long> vertices(WholeGraph graph) throws IOException {
        List<Long> vertices = new ArrayList<>();
        graph.readVertices((vertex, isOwned, degree) -> {
            assertThat(isOwned).isTrue();
            vertices.add(vertex);
        });
        return vertices;
    }
}
