package io.cutwater.deploy.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterPartsTest {
    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void assemble() throws IOException {
        folder = Files.createDirectory(temporary.resolve("a folder"));
        Files.createDirectory(folder.resolve("lib"));
        Files.createFile(folder.resolve("lib/second.jar"));
        Files.createFile(folder.resolve("lib/first.jar"));
        Files.createFile(folder.resolve("lib/of-the-launcher.jar"));
        Files.writeString(folder.resolve("flink.classpath"), "lib/second.jar:lib/first.jar\n");
    }

    @Test
    void theClassPathHasTheJarsOfTheListInItsOrder() throws IOException {
        assertThat(new ClusterParts(folder).flinkClassPath())
                .isEqualTo(folder.resolve("lib/second.jar") + ":" + folder.resolve("lib/first.jar"));
    }

    @Test
    void aMissingJarIsNamed() throws IOException {
        Files.delete(folder.resolve("lib/first.jar"));
        ClusterParts parts = new ClusterParts(folder);

        assertThatThrownBy(parts::flinkClassPath)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(folder.resolve("lib/first.jar") + ", which ")
                .hasMessageContaining("unpack the distribution again");
    }
}
