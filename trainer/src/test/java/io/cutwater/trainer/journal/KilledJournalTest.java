package io.cutwater.trainer.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class KilledJournalTest {
    private static final int KILLS = 3;
    private static final long SEED = 11;

    @TempDir
    Path temp;

    /** Kills a writing process with SIGKILL at a random point, and continues in another one. */
    @Test
    void aKilledProcessLosesNothingAndDoublesNothing() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        Path folder = temp.resolve("killed");
        long cut = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            long next = cut + (JournalProbe.CUTS + 1) * JournalProbe.STEP;
            long reached = killed(folder, cut, random.nextInt(3, 12));
            ShardJournal journal = JournalProbe.open(folder);
            List<Long> begins = new ArrayList<>();
            journal.moveTo(next, (from, to, into) -> {
                begins.add(from);
                JournalProbe.read(from, to, into);
            });
            assertThat(begins.get(0)).as("seed %d", SEED).isGreaterThanOrEqualTo(reached);
            ShardJournal fresh = JournalProbe.open(temp.resolve("fresh" + kill));
            fresh.moveTo(next, JournalProbe::read);
            assertThat(JournalContents.of(journal))
                    .as("seed %d", SEED)
                    .isNotEmpty()
                    .isEqualTo(JournalContents.of(fresh));
            assertThat(JournalContents.edges(journal)).as("seed %d", SEED).isEqualTo(JournalContents.edges(fresh));
            cut = next;
        }
    }

    /** Returns the last cut that the process printed before it was killed. */
    private static long killed(Path folder, long from, int cuts) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        JournalProbe.class.getName(),
                        folder.toString(),
                        String.valueOf(from))
                .redirectErrorStream(true)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String last = "";
            for (int cut = 0; cut < cuts; cut++) {
                last = said.readLine();
                assertThat(last).matches("\\d+");
            }
            return Long.parseLong(last);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
