package io.cutwater.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFolderTest {
    @TempDir
    private Path parent;

    @Test
    void isGoneWithWhatIsInIt() throws IOException {
        Path path;
        try (TemporaryFolder folder = TemporaryFolder.at(Files.createTempDirectory(parent, "job"))) {
            path = folder.path();
            Files.createDirectories(path.resolve("a/b"));
            Files.writeString(path.resolve("a/b/file"), "x");
            assertThat(path).hasParent(parent).isDirectory();
        }

        assertThat(parent).isEmptyDirectory();
        assertThat(path).doesNotExist();
    }

    @Test
    void mayBeGoneAlready() throws IOException {
        try (TemporaryFolder folder = TemporaryFolder.at(Files.createTempDirectory(parent, "job"))) {
            Files.delete(folder.path());
        }

        assertThat(parent).isEmptyDirectory();
    }

    @Test
    void doesNotFollowLinksOutOfItself() throws IOException {
        Path kept = Files.writeString(parent.resolve("kept"), "x");
        try (TemporaryFolder folder = TemporaryFolder.at(Files.createTempDirectory(parent, "job"))) {
            Files.createSymbolicLink(folder.path().resolve("link"), kept);
        }

        assertThat(kept).exists();
    }
}
