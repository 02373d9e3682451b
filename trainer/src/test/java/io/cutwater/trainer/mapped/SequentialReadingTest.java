package io.cutwater.trainer.mapped;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SequentialReadingTest {
    @TempDir
    private Path folder;

    /** Creates a file whose pages are not in memory, because nothing has written or read them. */
    private void sparse(String name, long bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
            file.setLength(bytes);
        }
    }

    @Test
    void readsOnceWhatIsNotInMemory() throws Exception {
        sparse("features", 3 << 20);
        sparse("neighbours", 5000);
        sparse("parts", 0);
        assertThat(SequentialReading.of(folder)).isEqualTo((3 << 20) + 5000);
        assertThat(SequentialReading.of(folder)).as("all is in memory").isZero();
        sparse("offsets", 4096);
        assertThat(SequentialReading.of(folder)).isEqualTo(4096);
    }

    @Test
    void leavesFilesThatAreLargerThanTheMemory() throws Exception {
        sparse("features", 1L << 42);
        assertThat(SequentialReading.of(folder)).isZero();
    }
}
