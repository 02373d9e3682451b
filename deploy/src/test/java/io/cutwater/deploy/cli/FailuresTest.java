package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.deploy.cli.help.Suggestion;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void theOutermostOfOurOwnExceptionsTellsTheStory() {
        IOException below = new IOException("cannot describe topic edges", notOurs(new IOException("no such topic")));
        IOException ours = new IOException("topic edges does not exist", below);
        Throwable failure = notOurs(new ExecutionException("job failed", ours));

        assertThat(Failures.sentence(failure)).isEqualTo("topic edges does not exist");
    }

    @Test
    void withoutOneOfOursTheFirstCauseTellsTheStory() {
        Throwable failure = notOurs(new ExecutionException("job failed", notOurs(new IOException("disk full"))));

        assertThat(Failures.sentence(failure)).isEqualTo("disk full");
    }

    private static <T extends Throwable> T notOurs(T failure) {
        failure.setStackTrace(new StackTraceElement[] {new StackTraceElement("java.io.File", "read", "File.java", 1)});
        return failure;
    }

    @Test
    void aCauseWithoutAMessageIsPassedOver() {
        assertThat(Failures.sentence(new IOException("no broker answers", new InterruptedException())))
                .isEqualTo("no broker answers");
    }

    @Test
    void filesAreNamed() {
        assertThat(Failures.sentence(new NoSuchFileException("/a"))).isEqualTo("there is no file /a");
        assertThat(Failures.sentence(new AccessDeniedException("/a")))
                .isEqualTo("/a may not be read or written by this user");
    }

    @Test
    void aFolderThatCannotBeCreatedIsNoMissingFile() {
        assertThatThrownBy(() -> Files.createDirectories(Path.of("/proc/x")))
                .isInstanceOf(NoSuchFileException.class)
                .satisfies(failure -> assertThat(Failures.sentence(failure))
                        .isEqualTo("the folder /proc/x cannot be created there; choose another one"));
    }

    @Test
    void aDefectOfOursIsToldAsOne() {
        assertThat(Failures.sentence(notOurs(new ArrayIndexOutOfBoundsException("Index 3 out of bounds"))))
                .isEqualTo("ArrayIndexOutOfBoundsException: Index 3 out of bounds (--debug shows where)");
        assertThat(Failures.sentence(notOurs(new ClassCastException())))
                .isEqualTo("ClassCastException without a message; --debug shows where");
    }

    @Test
    void pathsWithBlanksAreQuotedWhereTheyMayBePasted() {
        assertThat(Suggestion.quoted("/a/b-c_1.txt")).isEqualTo("/a/b-c_1.txt");
        assertThat(Suggestion.quoted("my graph.txt")).isEqualTo("'my graph.txt'");
        assertThat(Suggestion.quoted("it's")).isEqualTo("'it'\\''s'");
        assertThat(Suggestion.quoted("$HOME;")).isEqualTo("'$HOME;'");
    }

    @Test
    void onlyTheFirstLineIsSaid() {
        assertThat(Failures.sentence(new IOException("first\nsecond"))).isEqualTo("first");
    }
}
