package io.cutwater.trainer.mapped;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedFolderTest {
    @TempDir
    Path temp;

    @AfterEach
    void clearTheInterrupt() {
        Thread.interrupted();
    }

    @Test
    void closeDeletesMappedFilesAlsoInAnInterruptedThread() throws Exception {
        MappedFolder folder = new MappedFolder(temp, "shard-3-");
        MappedLongs numbers = MappedLongs.create(folder.folder("store").resolve("numbers"), 1_000);
        numbers.put(999, 7);
        assertThat(Files.size(folder.path().resolve("store/numbers"))).isEqualTo(8_000);

        Thread.currentThread().interrupt();
        folder.close();

        assertThat(folder.path()).doesNotExist();
        assertThat(temp).isEmptyDirectory();
    }

    @Test
    void leavesFilesOfOthersAlone() throws Exception {
        Path other = Files.createFile(temp.resolve("other"));
        try (MappedFolder folder = new MappedFolder(temp)) {
            assertThat(folder.path()).isDirectory().hasParent(temp);
        }
        assertThat(other).exists();
    }
}
