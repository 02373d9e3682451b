package io.cutwater.trainer.bridge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A finished run of a program.
 *
 * @param output standard output and standard error
 */
record ToolRun(int exitCode, String output) {
    /** @throws IOException if the program does not start */
    static ToolRun of(List<String> command) throws IOException, InterruptedException {
        return of(command, Map.of());
    }

    /** @param variables environment variables beside those of this process */
    static ToolRun of(List<String> command, Map<String, String> variables) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(variables);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new ToolRun(process.waitFor(), output);
    }

    String lastLine() {
        return output.lines()
                .filter(line -> !line.isBlank())
                .reduce((first, second) -> second)
                .orElse("exit code " + exitCode)
                .strip();
    }
}
