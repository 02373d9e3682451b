package io.cutwater.format.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VertexNamesTest {
    private final VertexNames names = new VertexNames();

    private long id(String name) {
        byte[] text = (" " + name + ",").getBytes(StandardCharsets.UTF_8);
        return names.id(text, 1, text.length - 1);
    }

    private List<String> all() {
        List<String> all = new ArrayList<>();
        names.forEach((id, text, from, to) -> {
            assertThat(id).isEqualTo(all.size());
            all.add(new String(text, from, to - from, StandardCharsets.UTF_8));
        });
        return all;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void numbersNamesByFirstAppearanceAsAMapWould(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Long> expected = new LinkedHashMap<>();
        for (int i = 0; i < 60_000; i++) {
            String name = Integer.toString(random.nextInt(20_000), 36).repeat(random.nextInt(1, 4));
            long number = expected.computeIfAbsent(name, n -> (long) expected.size());
            assertThat(id(name)).isEqualTo(number);
        }
        assertThat(names.size()).isEqualTo(expected.size());
        assertThat(all()).isEqualTo(List.copyOf(expected.keySet()));
    }

    @Test
    void namesWithTheSameHashStayApart() {
        // 31 · 'A' + 'a' = 31 · 'B' + 'B': both of length 2, so their hashes are equal.
        assertThat(id("Aa")).isZero();
        assertThat(id("BB")).isEqualTo(1);
        assertThat(id("AaBB")).isEqualTo(2);
        assertThat(id("BBAa")).isEqualTo(3);
        assertThat(id("Aa")).isZero();
        assertThat(all()).containsExactly("Aa", "BB", "AaBB", "BBAa");
    }

    @Test
    void longNamesFillSeveralChunks() {
        for (int i = 0; i < 40; i++) {
            assertThat(id(i + "x".repeat(400_000))).isEqualTo(i);
        }
        assertThat(id("7" + "x".repeat(400_000))).isEqualTo(7);
        assertThat(id("x".repeat(1 << 20))).isEqualTo(40);
        assertThat(all().get(39)).isEqualTo("39" + "x".repeat(400_000));
    }
}
