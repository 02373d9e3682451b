package io.cutwater.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One command line with its exit code and output.
 *
 * @param words of the command line, without the program's name
 * @param out standard output
 * @param err standard error
 */
public record CommandRun(List<String> words, int exitCode, String out, String err) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A program that runs in this process. */
    public interface Program {
        /** Returns the exit code. */
        int run(PrintWriter out, PrintWriter err, String... words);
    }

    /** Runs a command line in this process. */
    public static CommandRun of(Program program, String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = program.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
        return new CommandRun(List.of(words), exitCode, out.toString(), err.toString());
    }

    /** Runs a command line in a process of its own, with more environment variables. */
    public static CommandRun inChildProcess(Class<?> main, List<String> words, Map<String, String> environment)
            throws IOException, InterruptedException {
        List<String> command = java(main);
        command.addAll(words);
        Path out = Files.createTempFile("cutwater-run-", ".out");
        Path err = Files.createTempFile("cutwater-run-", ".err");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().putAll(environment);
            int exitCode = builder.start().waitFor();
            return new CommandRun(words, exitCode, Files.readString(out), Files.readString(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    /** Returns the words that start a program with this process's class path, in a small and quickly started JVM. */
    public static List<String> java(Class<?> main) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        String parts = System.getProperty("cutwater.cluster.parts");
        if (parts != null) {
            words.add("-Dcutwater.cluster.parts=" + parts);
        }
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        return words;
    }

    /** Returns whether the exit code is 0. */
    public boolean succeeded() {
        return exitCode == 0;
    }

    /** Returns standard output as JSON; a missing node if it is not JSON. */
    public JsonNode json() {
        try {
            return JSON.readTree(out);
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    /**
     * Returns the error message of a command that failed: the first line of standard error that names the program, so
     * that lines of progress before it on a slow machine do not count; without such a line the first.
     */
    public String sentence() {
        return err.lines()
                .filter(line -> line.startsWith("cutwater: "))
                .findFirst()
                .or(() -> err.lines().findFirst())
                .orElse("");
    }

    @Override
    public String toString() {
        return "%s: exit code %d%n%s%s".formatted(String.join(" ", words), exitCode, err, out);
    }
}
