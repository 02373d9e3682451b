package io.cutwater.deploy.bench.speed;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A finished run of a program.
 *
 * @param exitCode {@link #TOO_LONG} if it was killed because it took too long
 * @param lines lines of standard output and standard error
 */
record Program(int exitCode, List<String> lines) {
    static final int TOO_LONG = 124;

    /**
     * Runs a program.
     *
     * @param variables environment variables beside those of this process
     * @throws IOException if the program does not start
     */
    static Program run(List<String> command, Map<String, String> variables, Duration limit)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        Process process = builder.start();
        AtomicBoolean isKilled = new AtomicBoolean();
        Thread guard = new Thread(() -> killLate(process, limit, isKilled), "time limit of " + command.get(0));
        guard.setDaemon(true);
        guard.start();
        try {
            process.getOutputStream().close();
            List<String> lines = new ArrayList<>();
            try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    lines.add(line);
                }
            } catch (IOException e) {
                if (!isKilled.get()) { // which closes what is being read
                    throw e;
                }
            }
            int exitCode = process.waitFor();
            return new Program(isKilled.get() ? TOO_LONG : exitCode, lines);
        } finally {
            guard.interrupt();
            process.destroyForcibly();
        }
    }

    private static void killLate(Process process, Duration limit, AtomicBoolean isKilled) {
        try {
            if (!process.waitFor(Math.max(0, limit.toMillis()), TimeUnit.MILLISECONDS)) {
                isKilled.set(true);
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the program has ended
        }
    }

    /** Returns the last line that is not blank. */
    String lastLine() {
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (!lines.get(i).isBlank()) {
                return lines.get(i).strip();
            }
        }
        return "exit code " + exitCode;
    }
}
