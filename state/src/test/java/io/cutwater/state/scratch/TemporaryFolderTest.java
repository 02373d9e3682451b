package io.cutwater.state.scratch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

    @Test
    void deletesMappedFilesAlsoInAnInterruptedThread() throws IOException {
        Path other = Files.createFile(parent.resolve("other"));
        TemporaryFolder folder = TemporaryFolder.forMappedFiles(parent, "shard-3");
        Path file = folder.folder("store").resolve("numbers");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.map(FileChannel.MapMode.READ_WRITE, 0, 8_000).put(7_999, (byte) 7);
        }
        assertThat(Files.size(file)).isEqualTo(8_000);

        Thread.currentThread().interrupt();
        try {
            folder.close();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(folder.path()).doesNotExist();
        assertThat(parent).isDirectoryContaining(other::equals);
    }
}
