package io.cutwater.state.scratch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFileTest {
    @TempDir
    private Path folder;

    @Test
    void replacesTheContentAndLeavesNothingBeside() throws IOException {
        Path file = folder.resolve("record.json");
        DurableFile.replace(file, out -> out.write("first".getBytes(StandardCharsets.UTF_8)));
        DurableFile.replace(file, out -> out.write("second".getBytes(StandardCharsets.UTF_8)));
        assertThat(file).hasContent("second");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void keepsTheOldContentWhenTheNewOneCannotBeWritten() throws IOException {
        Path file = Files.writeString(folder.resolve("record.json"), "old");
        assertThatThrownBy(() -> DurableFile.replace(file, out -> {
                    out.write(1);
                    throw new IOException("the disk is full");
                }))
                .hasMessage("the disk is full");
        assertThat(file).hasContent("old");
    }
}
