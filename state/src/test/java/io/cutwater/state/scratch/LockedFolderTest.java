package io.cutwater.state.scratch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockedFolderTest {
    @TempDir
    private Path temporary;

    @Test
    void theNextAttemptFindsWhatTheOneBeforeHasLeft() throws IOException {
        Path left;
        try (LockedFolder first = LockedFolder.take(temporary, "job")) {
            left = Files.writeString(Files.createDirectories(first.path()).resolve("places"), "p");
        }
        try (LockedFolder second = LockedFolder.take(temporary, "job")) {
            assertThat(second.path().resolve("places")).isEqualTo(left).hasContent("p");
        }
    }

    @Test
    void twoAttemptsNeverShareOne() throws IOException {
        try (LockedFolder first = LockedFolder.take(temporary, "job");
                LockedFolder second = LockedFolder.take(temporary, "job")) {
            assertThat(second.path()).isNotEqualTo(first.path());
        }
    }

    @Test
    void whatADeadJobHasLeftIsRemovedAndWhatALivingOneHoldsIsNot() throws IOException {
        Path dead;
        try (LockedFolder job = LockedFolder.take(temporary, "dead")) {
            dead = Files.writeString(Files.createDirectories(job.path()).resolve("places"), "p");
        }
        try (LockedFolder living = LockedFolder.take(temporary, "living")) {
            Path held = Files.writeString(Files.createDirectories(living.path()).resolve("places"), "p");
            assertThat(dead).doesNotExist();
            try (LockedFolder other = LockedFolder.take(temporary, "other")) {
                assertThat(other.path()).isNotEqualTo(living.path());
                assertThat(held).exists();
            }
        }
    }

    @Test
    void otherFoldersStay() throws IOException {
        Path other = Files.createDirectory(temporary.resolve("rocksdb"));
        LockedFolder.take(temporary, "job").close();
        assertThat(other).exists();
    }
}
