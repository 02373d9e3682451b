package io.cutwater.deploy.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.testkit.CommandRun;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class InterruptionTest {
    /** Works until it is told to end. */
    static final class Worker {
        private Worker() {}

        public static void main(String[] args) throws InterruptedException {
            PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
            new Interruption(err, () -> "done and gone").close();
            try (Interruption interruption = new Interruption(err, () -> "nothing was kept")) {
                CountDownLatch late = new CountDownLatch(1);
                // The process does not end before all has been tried that comes too late.
                Runtime.getRuntime().addShutdownHook(new Thread(() -> await(late)));
                System.out.println("working");
                Progress.Display display = new Progress.Display(ProgressStyle.BAR, 80, err, System::nanoTime);
                while (!Interruption.hasHappened()) {
                    Thread.onSpinWait();
                }
                try (Progress progress = display.begin("work")) {
                    progress.update(1, 1, "shown too late");
                }
                display.say("said too late");
                late.countDown();
                new CountDownLatch(1).await();
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void saysWhatIsKeptWhenTheProcessIsToldToEnd() throws Exception {
        Process process = new ProcessBuilder(CommandRun.java(Worker.class)).start();
        assertThat(process.inputReader().readLine()).isEqualTo("working");
        process.toHandle().destroy(); // SIGTERM; Ctrl-C runs the same hooks. Process.destroy() closes the streams
        assertThat(process.waitFor()).isEqualTo(143);
        assertThat(process.errorReader().lines().filter(line -> !line.startsWith("Picked up")))
                .containsExactly("", "cutwater: interrupted; nothing was kept");
    }
}
