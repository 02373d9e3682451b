package io.cutwater.deploy.faults.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.cutwater.deploy.cli.Cutwater;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One command line with its exit code and output. */
public record CommandRun(List<String> words, int exitCode, String out, String err) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static CommandRun of(List<String> words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode =
                Cutwater.run(new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new));
        return new CommandRun(words, exitCode, out.toString(), err.toString());
    }

    /** Runs a command line in a process of its own. */
    static CommandRun inChildProcess(List<String> words, Map<String, String> environment)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(java());
        command.addAll(words);
        Path out = Files.createTempFile("cutwater-faults-", ".out");
        Path err = Files.createTempFile("cutwater-faults-", ".err");
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

    /** Returns the words that start {@code cutwater} with this process's class path. */
    static List<String> java() {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        String parts = System.getProperty("cutwater.cluster.parts");
        if (parts != null) {
            words.add("-Dcutwater.cluster.parts=" + parts);
        }
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), Cutwater.class.getName()));
        return words;
    }

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

    @Override
    public String toString() {
        return "%s: exit code %d%n%s%s".formatted(String.join(" ", words), exitCode, err, out);
    }
}
