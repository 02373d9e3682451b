package io.cutwater.deploy.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.cutwater.deploy.cli.Cutwater;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** What one command line did: its exit code and what it printed. */
record CommandRun(List<String> words, int exitCode, String out, String err) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static CommandRun of(List<String> words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode =
                Cutwater.run(new PrintWriter(out, true), new PrintWriter(err, true), words.toArray(String[]::new));
        return new CommandRun(words, exitCode, out.toString(), err.toString());
    }

    boolean succeeded() {
        return exitCode == 0;
    }

    /** Standard output as JSON; a missing node if it is none. */
    JsonNode json() {
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
