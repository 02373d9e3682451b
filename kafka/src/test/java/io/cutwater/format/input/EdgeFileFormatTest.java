package io.cutwater.format.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EdgeFileFormatTest {
    @ParameterizedTest
    @CsvSource({
        "edges.txt, TEXT",
        "edge.csv.gz, TEXT",
        "edges.tsv.zst, TEXT",
        "edges, TEXT",
        "a.graph/edges, TEXT",
        "g.graph, METIS",
        "g.graph.gz, METIS",
        "G.GRAPH.GZ, METIS",
        "g.metis, METIS",
        "e.npy, NPY",
        "e.parquet, PARQUET",
        "e.parquet.txt, TEXT"
    })
    void isToldFromTheName(Path file, EdgeFileFormat format) {
        assertThat(EdgeFileFormat.ofName(file)).isEqualTo(format);
    }

    @Test
    void isNamedByTheOption() {
        assertThat(EdgeFileFormat.of("metis")).isEqualTo(EdgeFileFormat.METIS);
        assertThat(EdgeFileFormat.of("Parquet")).isEqualTo(EdgeFileFormat.PARQUET);
    }

    @Test
    void anUnknownNameIsAnsweredWithTheKnownOnes() {
        assertThatThrownBy(() -> EdgeFileFormat.of("orc"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--input-format must be one of text, metis, npy, parquet, json: 'orc'");
    }
}
