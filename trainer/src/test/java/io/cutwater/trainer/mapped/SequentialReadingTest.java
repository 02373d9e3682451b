package io.cutwater.trainer.mapped;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SequentialReadingTest {
    @TempDir
    private Path folder;

    /** Creates a file whose pages are not in memory, because nothing has written or read them. */
    private MappedInts sparse(String name, long bytes) throws IOException {
        return MappedInts.create(folder.resolve(name), bytes / Integer.BYTES);
    }

    @Test
    void readsOnceWhatIsNotInMemory() throws Exception {
        List<MappedInts> kept = new ArrayList<>();
        kept.add(sparse("features", 3 << 20));
        kept.add(sparse("neighbours", 5000));
        kept.add(sparse("parts", 0));
        assertThat(SequentialReading.of(folder)).isEqualTo((3 << 20) + 5000);
        assertThat(SequentialReading.of(folder)).as("all is in memory").isZero();
        kept.add(sparse("offsets", 4096));
        assertThat(SequentialReading.of(folder)).isEqualTo(4096);
        assertThat(SequentialReading.free(folder)).as("all fits into memory").isZero();
        Reference.reachabilityFence(kept);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "other systems are not asked to free pages")
    void freesWhatDoesNotFitTogetherAndReadsItAgainOnce() throws Exception {
        MappedInts small = sparse("small", 3 << 20);
        for (int i = 0; i < small.length(); i++) {
            small.put(i, i);
        }
        Path other = Files.createDirectory(folder.resolve("other"));
        MappedInts large = MappedInts.create(other.resolve("features"), 1L << 40);
        assertThat(SequentialReading.of(other)).as("larger than the memory").isZero();
        assertThat(SequentialReading.free(folder)).isEqualTo(3 << 20);
        assertThat(SequentialReading.of(folder)).isEqualTo(3 << 20);
        assertThat(SequentialReading.of(folder)).as("all is in memory").isZero();
        for (int i = 0; i < small.length(); i++) {
            assertThat(small.get(i)).isEqualTo(i);
        }
        Reference.reachabilityFence(large);
    }
}
