package io.cutwater.state.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountedTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | edge | 0 edges are",
                "1 | edge | 1 edge is",
                "2 | dead letter | 2 dead letters are",
                "1 | vertex | 1 vertex is",
                "3000 | vertex | 3,000 vertices are",
                "1 | process | 1 process is",
                "4 | process | 4 processes are",
                "5 | mini-batch | 5 mini-batches are",
                "-1 | edge | -1 edges are",
            })
    void nounAndVerbFollowTheNumber(long count, String one, String expected) {
        assertThat(Counted.of(count, one) + " " + Counted.are(count)).isEqualTo(expected);
    }
}
