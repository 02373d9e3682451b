package io.cutwater.deploy.cli;

import io.cutwater.deploy.cli.help.Suggestion;
import io.cutwater.deploy.view.Interruption;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports a failure in one sentence on standard error. */
final class Failures {
    private Failures() {}

    static int wrongUsage(ParameterException failure, String... args) {
        CommandLine line = failure.getCommandLine();
        PrintWriter err = line.getErr();
        err.println("cutwater: " + oneLine(String.valueOf(failure.getMessage()).replaceFirst("^Error: ", "")));
        Optional<String> meant = failure instanceof UnmatchedArgumentException unmatched
                ? suggestion(unmatched)
                : failure instanceof MissingParameterException
                        ? misspelt(line.getCommandSpec(), args)
                        : Optional.empty();
        meant.ifPresent(name -> err.println("Did you mean " + name + "?"));
        err.println("See ./" + line.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    private static Optional<String> suggestion(UnmatchedArgumentException unmatched) {
        CommandSpec command = unmatched.getCommandLine().getCommandSpec();
        String first = unmatched.getUnmatched().get(0);
        if (command.optionsMap().containsKey("--edges") && new File(first).isFile()) {
            return Optional.of("--edges " + Suggestion.quoted(first));
        }
        String word = first.replaceFirst("=.*", "");
        return Suggestion.nearest(
                word,
                word.startsWith("-")
                        ? command.optionsMap().keySet()
                        : command.subcommands().keySet());
    }

    /** Returns the option that is nearest to the first one that does not exist: what is missing may be misspelt. */
    private static Optional<String> misspelt(CommandSpec command, String... args) {
        return Arrays.stream(args)
                .filter(word -> word.startsWith("--"))
                .map(word -> word.replaceFirst("=.*", ""))
                .filter(word -> !command.optionsMap().containsKey(word))
                .findFirst()
                .flatMap(word -> Suggestion.nearest(word, command.optionsMap().keySet()));
    }

    static int workFailed(Exception failure, CommandLine line, ParseResult parsed) {
        if (!Interruption.hasHappened()) {
            line.getErr().println("cutwater: " + sentence(failure));
        }
        if (parsed.hasMatchedOption("--debug")) {
            failure.printStackTrace(line.getErr());
        }
        return ExitCode.SOFTWARE;
    }

    /**
     * What the outermost of our own exceptions says, whose message is a sentence; without any, what the first cause
     * says, for frameworks only say that something failed.
     */
    static String sentence(Throwable failure) {
        Throwable telling = failure;
        boolean isOurs = false;
        for (Throwable cause = failure; cause != null && !isOurs; cause = cause.getCause()) {
            if (cause.getMessage() != null && !cause.getMessage().isBlank()) {
                telling = cause;
                isOurs = isThrownByUs(cause);
            }
        }
        String message = telling.getMessage();
        if (message == null || message.isBlank()) {
            return "%s without a message; --debug shows where"
                    .formatted(telling.getClass().getSimpleName());
        }
        if (telling instanceof NoSuchFileException) {
            return isOfFolder(telling)
                    ? "the folder %s cannot be created there; choose another one".formatted(message)
                    : "there is no file " + message;
        }
        if (telling instanceof AccessDeniedException) {
            return message + " may not be read or written by this user";
        }
        if (telling instanceof FileSystemException || isOurs || isExpected(telling)) {
            return oneLine(message);
        }
        return "%s: %s (--debug shows where)".formatted(telling.getClass().getSimpleName(), oneLine(message));
    }

    /** A file system without folders of its own, such as /proc, reports a new one as missing. */
    private static boolean isOfFolder(Throwable failure) {
        return Arrays.stream(failure.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().startsWith("createDirector")
                        || frame.getMethodName().equals("createTempDirectory"));
    }

    private static boolean isThrownByUs(Throwable failure) {
        StackTraceElement[] trace = failure.getStackTrace();
        return trace.length > 0 && trace[0].getClassName().startsWith("io.cutwater.");
    }

    private static boolean isExpected(Throwable failure) {
        return failure instanceof IOException
                || failure instanceof UncheckedIOException
                || failure instanceof IllegalArgumentException
                || failure instanceof IllegalStateException;
    }

    private static String oneLine(String message) {
        return message.lines().findFirst().orElse("").strip();
    }
}
