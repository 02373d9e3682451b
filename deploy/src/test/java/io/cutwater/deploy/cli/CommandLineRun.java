package io.cutwater.deploy.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What one command line did: its exit code and what it printed. */
public record CommandLineRun(int exitCode, String out, String err) {
    public static CommandLineRun of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Cutwater.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new CommandLineRun(exitCode, out.toString(), err.toString());
    }

    /** The first line of standard error, which is the sentence. */
    public String sentence() {
        return err.lines().findFirst().orElse("");
    }
}
