package io.cutwater.format.npy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.input.EdgeFileFixture;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.format.input.EdgeFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

public class NpyEdgeReaderTest {
    @TempDir
    Path folder;

    /** A file as numpy writes it: magic, version, header padded to 64 bytes, numbers. */
    public static byte[] npy(int version, String dict, int bytesPerId, long... ids) {
        int prefix = version == 1 ? 10 : 12;
        int length = (prefix + dict.length() + 1 + 63) / 64 * 64 - prefix;
        ByteBuffer bytes =
                ByteBuffer.allocate(prefix + length + ids.length * bytesPerId).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
        if (version == 1) {
            bytes.putShort((short) length);
        } else {
            bytes.putInt(length);
        }
        bytes.put((dict + " ".repeat(length - dict.length() - 1) + "\n").getBytes(StandardCharsets.UTF_8));
        for (long id : ids) {
            if (bytesPerId == Long.BYTES) {
                bytes.putLong(id);
            } else {
                bytes.putInt((int) id);
            }
        }
        return bytes.array();
    }

    public static String dict(String type, boolean isFortranOrder, String shape) {
        return "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }"
                .formatted(type, isFortranOrder ? "True" : "False", shape);
    }

    private List<String> read(byte[] content) throws IOException {
        return EdgeFileFixture.readAll(EdgeFileFixture.write(folder.resolve("edges.npy"), content));
    }

    @ParameterizedTest
    @CsvSource({
        "'2, 3', False, 1 2 3 4 5 6, '1,4;2,5;3,6'",
        "'2, 3', True, 1 2 3 4 5 6, '1,2;3,4;5,6'",
        "'3, 2', False, 1 2 3 4 5 6, '1,2;3,4;5,6'",
        "'3, 2', True, 1 2 3 4 5 6, '1,4;2,5;3,6'",
        "'2, 2', False, 1 2 3 4, '1,3;2,4'",
        "'1, 2', False, 1 2, '1,2'",
        "'2, 1', False, 1 2, '1,2'",
        "'2, 1', True, -1 -2, '-1,-2'",
    })
    void bothShapesInBothOrdersAreRead(String shape, boolean isFortranOrder, String ids, String edges)
            throws IOException {
        long[] numbers =
                Arrays.stream(ids.split(" ")).mapToLong(Long::parseLong).toArray();
        for (int version = 1; version <= 3; version++) {
            assertThat(read(npy(version, dict("<i8", isFortranOrder, shape), 8, numbers)))
                    .containsExactly(edges.split(";"));
            assertThat(read(npy(version, dict("<i4", isFortranOrder, shape), 4, numbers)))
                    .containsExactly(edges.split(";"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2m", "m2-int32", "2m-fortran", "m2-fortran"})
    void filesThatNumpyWroteAreRead(String name) throws IOException {
        assertThat(EdgeFileFixture.readAll(Path.of("src/test/resources/edge-files/numpy-" + name + ".npy")))
                .containsExactly("1,4", "2,5", "3,-6");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2, 0", "0, 2"})
    void anEmptyArrayHasNoEdges(String shape) throws IOException {
        assertThat(read(npy(1, dict("<i8", false, shape), 8))).isEmpty();
    }

    @Test
    void idsReachTheEndsOf64Bits() throws IOException {
        assertThat(read(npy(1, dict("<i8", false, "1, 2"), 8, Long.MIN_VALUE, Long.MAX_VALUE)))
                .containsExactly(Long.MIN_VALUE + "," + Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(strings = {">i8", "<u8", "<f8", "<i2", "|O"})
    void anotherTypeIsRefused(String type) {
        assertThatThrownBy(() -> read(npy(1, dict(type, false, "2, 1"), 8, 1, 2)))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("edges must be little-endian int64 or int32 ('<i8' or '<i4'), not '" + type
                        + "'. Save them with .astype('<i8').");
    }

    @Test
    void aTableOfNamedColumnsIsRefused() {
        String dict = "{'descr': [('u', '<i8'), ('v', '<i8')], 'fortran_order': False, 'shape': (1,), }";
        assertThatThrownBy(() -> read(npy(1, dict, 8, 1, 2)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not [('u', '<i8'), ('v', '<i8')]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"2,", "6,", "", "3, 4", "2, 1, 2", "3, 99999999999999999999"})
    void anotherShapeIsRefused(String shape) {
        assertThatThrownBy(() -> read(npy(1, dict("<i8", false, shape), 8, 1, 2)))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("edges must be an array of shape (2, m) or (m, 2), not (" + shape + ").");
    }

    @Test
    void aFileOfAnotherLengthThanItsHeaderSaysIsRefused() throws IOException {
        byte[] whole = npy(1, dict("<i8", false, "2, 3"), 8, 1, 2, 3, 4, 5, 6);
        for (int length : new int[] {whole.length - 1, whole.length + 1}) {
            assertThatThrownBy(() -> read(Arrays.copyOf(whole, length)))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("edges.npy is %d bytes long, but its header says 3 edges, which take %d."
                                    .formatted(length, whole.length)
                            + " Save it again.");
        }
        assertThatThrownBy(() -> read(npy(1, dict("<i8", false, "2, 999999999999999999"), 8, 1)))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("its header says more edges than a file can hold.");
        assertThat(Files.exists(folder.resolve("edges.npy"))).isTrue();
    }

    @Test
    void aCorruptHeaderIsASentence() {
        byte[] whole = npy(1, dict("<i8", false, "2, 1"), 8, 1, 2);
        assertCorrupt(new byte[0], "it ends within the header");
        assertCorrupt(Arrays.copyOf(whole, 40), "it ends within the header");
        assertCorrupt("PK\3\4 some other file".getBytes(StandardCharsets.UTF_8), "it does not begin with the bytes");
        byte[] version9 = whole.clone();
        version9[6] = 9;
        assertCorrupt(version9, "its version must be 1, 2, or 3, but was 9");
        assertCorrupt(npy(1, "{'descr': '<i8', 'shape': (2, 1)}", 8, 1, 2), "does not say descr, fortran_order");
        byte[] endless = npy(2, dict("<i8", false, "2, 1"), 8, 1, 2);
        endless[11] = 0x7F;
        assertCorrupt(endless, "its header's length is");
    }

    private void assertCorrupt(byte[] content, String reason) {
        assertThatThrownBy(() -> read(content))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("edges.npy is not a valid .npy file: ")
                .hasMessageContaining(reason)
                .hasMessageEndingWith("Save it again with numpy.save.");
    }

    @Test
    void aPositionBehindTheEndIsASentence() {
        Path file = EdgeFileFixture.write(folder.resolve("e.npy"), npy(1, dict("<i8", false, "2, 1"), 8, 1, 2));
        assertThatThrownBy(() -> EdgeFiles.open(file, EdgeFileFormat.NPY, new EdgeFilePosition(0, 2, 0)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is shorter than when it was read before");
    }
}
