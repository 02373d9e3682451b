package io.cutwater.deploy.faults.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The wall clock of a cluster's processes, which libfaketime shifts. Monotonic time, with which the processes wait, is
 * left alone, as it is when a real clock is set.
 */
public final class Clock {
    private static final List<Path> LIBRARIES = List.of(
            Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"),
            Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1"),
            Path.of("/usr/lib/faketime/libfaketime.so.1"),
            Path.of("/usr/lib64/faketime/libfaketime.so.1"));

    private final Path library;
    private final Path file;
    private long shift;

    private Clock(Path library, Path file) {
        this.library = library;
        this.file = file;
    }

    /** Returns whether libfaketime is installed. */
    public static boolean isPossible() {
        return library().isPresent();
    }

    private static Optional<Path> library() {
        return LIBRARIES.stream().filter(Files::isReadable).findFirst();
    }

    /**
     * Creates a clock that shows the right time.
     *
     * @param folder for the file that holds the shift
     * @throws IOException if libfaketime is not installed, or the file cannot be written
     */
    static Clock create(Path folder) throws IOException {
        Clock clock = new Clock(
                library().orElseThrow(() -> new IOException("libfaketime is not installed; install package faketime")),
                folder.resolve("clock"));
        clock.step(0);
        return clock;
    }

    /** Variables with which a process and all that it starts see this clock. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // Without this, timed waits of the JVM return at once.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /** Sets the clock forward, or back if negative; processes notice it within a second. */
    public void step(int seconds) throws IOException {
        shift += seconds;
        Path next = file.resolveSibling("clock.next");
        Files.writeString(next, "%+d%n".formatted(shift));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
