package io.cutwater.flink.connector.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchFolderTest {
    @TempDir
    private Path temporary;

    @Test
    void theNextAttemptFindsWhatTheOneBeforeHasLeft() throws IOException {
        Path left;
        try (ScratchFolder first = ScratchFolder.take(temporary, "job")) {
            left = Files.writeString(Files.createDirectories(first.path()).resolve("places"), "p");
        }
        try (ScratchFolder second = ScratchFolder.take(temporary, "job")) {
            assertThat(second.path().resolve("places")).isEqualTo(left).hasContent("p");
        }
    }

    @Test
    void twoAttemptsNeverShareOne() throws IOException {
        try (ScratchFolder first = ScratchFolder.take(temporary, "job");
                ScratchFolder second = ScratchFolder.take(temporary, "job")) {
            assertThat(second.path()).isNotEqualTo(first.path());
        }
    }

    @Test
    void whatADeadJobHasLeftIsRemovedAndWhatALivingOneHoldsIsNot() throws IOException {
        Path dead;
        try (ScratchFolder job = ScratchFolder.take(temporary, "dead")) {
            dead = Files.writeString(Files.createDirectories(job.path()).resolve("places"), "p");
        }
        try (ScratchFolder living = ScratchFolder.take(temporary, "living")) {
            Path held = Files.writeString(Files.createDirectories(living.path()).resolve("places"), "p");
            assertThat(dead).doesNotExist();
            try (ScratchFolder other = ScratchFolder.take(temporary, "other")) {
                assertThat(other.path()).isNotEqualTo(living.path());
                assertThat(held).exists();
            }
        }
    }

    @Test
    void otherFoldersStay() throws IOException {
        Path other = Files.createDirectory(temporary.resolve("rocksdb"));
        ScratchFolder.take(temporary, "job").close();
        assertThat(other).exists();
    }
}
