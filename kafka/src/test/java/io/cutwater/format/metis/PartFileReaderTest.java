package io.cutwater.format.metis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.input.EdgeFileFixture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartFileReaderTest {
    @TempDir
    Path folder;

    @Test
    void readsAsManyLinesAsThereIsRoom() throws IOException {
        Path file = EdgeFileFixture.write(folder.resolve("g.part.4"), "3\n0\r\n 2 \n1");
        int[] partitions = new int[4];
        try (PartFileReader reader = PartFileReader.open(file)) {
            assertThat(reader.read(partitions, 1, 4)).isEqualTo(3);
            assertThat(partitions).containsExactly(0, 3, 0, 2);
            assertThat(reader.read(partitions, 0, 4)).isEqualTo(1);
            assertThat(partitions[0]).isEqualTo(1);
            assertThat(reader.read(partitions, 0, 4)).isZero();
            assertThat(reader.linesRead()).isEqualTo(4);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"e.part", "e.part.gz", "e.part.zst"})
    void readsAWholeFile(String name) throws IOException {
        int[] partitions = IntStream.range(0, 200_000).map(i -> i * 31 % 4096).toArray();
        String text = IntStream.of(partitions).mapToObj(Integer::toString).collect(Collectors.joining("\n"));
        assertThat(PartFileReader.readAll(EdgeFileFixture.write(folder.resolve(name), text)))
                .isEqualTo(partitions);
        assertThat(PartFileReader.readAll(EdgeFileFixture.write(folder.resolve(name), "")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"4096", "-1", "x", "1 2", "1.0", "''", "99999999999999999999"})
    void anythingButAPartitionIsASentence(String line) {
        Path file = EdgeFileFixture.write(folder.resolve("e.part"), "0\n" + line + "\n1\n");
        assertThatThrownBy(() -> PartFileReader.readAll(file))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(file + ": line 2 must be one partition number from 0 to 4095, not '");
    }
}
