package io.cutwater.kafka.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.kafka.ingest.EdgeOperation;
import io.cutwater.kafka.ingest.IngestFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class IngestProgressTest {
    private static final IngestProgress PROGRESS =
            new IngestProgress(new EdgeFilePosition(258, 3, 4), 5, 6, new FileStamp(1L << 40, 7, 8), true);
    private static final String NUMBERS = "0201000000000000" + "0300000000000000" + "0400000000000000"
            + "0500000000000000" + "0600000000000000" + "0000000000010000";

    @Test
    void readsTheBytesOfVersion1() {
        byte[] golden = HexFormat.of().parseHex("0101" + NUMBERS + "2f61");
        assertThat(IngestProgress.decode(golden))
                .isEqualTo(new IngestProgress(new EdgeFilePosition(258, 3, 4), 5, 6, FileStamp.ofSize(1L << 40), true));
    }

    @Test
    void readsTheBytesOfVersion2() {
        byte[] golden = HexFormat.of().parseHex("0201" + NUMBERS + "0700000000000000" + "0800000000000000" + "2f61");
        assertThat(PROGRESS.encode(Path.of("/a"))).isEqualTo(golden);
        assertThat(IngestProgress.decode(golden)).isEqualTo(PROGRESS);
    }

    @Test
    void refusesOtherBytesWithASentence() {
        assertThatThrownBy(() -> IngestProgress.decode(new byte[49]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a progress record takes at least 50 bytes, but there are 49");
        byte[] other = PROGRESS.encode(Path.of("/a"));
        other[0] = 3;
        assertThatThrownBy(() -> IngestProgress.decode(other))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a progress record of version 3 with flags 0x01 is not known; this program reads versions 1 and 2");
        byte[] cut = Arrays.copyOf(PROGRESS.encode(Path.of("/a")), 65);
        assertThatThrownBy(() -> IngestProgress.decode(cut))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a progress record takes at least 66 bytes, but there are 65");
    }

    @Test
    void knowsAFileByPathSizeFormatAndTopicOrByItsId() {
        IngestFile file = new IngestFile(Path.of("/a/b.txt"), EdgeFileFormat.TEXT);
        byte[] key = file.key("edges", EdgeOperation.ADD, 7);
        assertThat(key).hasSize(32);
        assertThat(new IngestFile(Path.of("/a/../a/b.txt"), EdgeFileFormat.TEXT).key("edges", EdgeOperation.ADD, 7))
                .isEqualTo(key);
        assertThat(file.key("edges", EdgeOperation.ADD, 8)).isNotEqualTo(key);
        assertThat(file.key("other", EdgeOperation.ADD, 7)).isNotEqualTo(key);
        assertThat(new IngestFile(Path.of("/a/b.txt"), EdgeFileFormat.METIS).key("edges", EdgeOperation.ADD, 7))
                .isNotEqualTo(key);
        assertThat(file.key("edges", EdgeOperation.REMOVE, 7)).isNotEqualTo(key);
        byte[] keyOfId =
                new IngestFile(Path.of("/a/b.txt"), EdgeFileFormat.TEXT, "x").key("edges", EdgeOperation.ADD, 7);
        assertThat(keyOfId).isNotEqualTo(key);
        assertThat(new IngestFile(Path.of("/moved.txt"), EdgeFileFormat.TEXT, "x").key("edges", EdgeOperation.ADD, 8))
                .isEqualTo(keyOfId);
    }
}
