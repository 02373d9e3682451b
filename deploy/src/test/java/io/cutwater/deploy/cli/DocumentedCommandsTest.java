package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.deploy.MarkdownFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The commands that the Markdown files show have the options that they show. */
class DocumentedCommandsTest {
    private static final Pattern COMMAND = Pattern.compile("^\\s*(?:[A-Z_]+=\\S+ )*\\./cutwater (.*)$");
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*");

    private final CommandLine root = new CommandLine(new Cutwater());

    @Test
    void everyOptionExists() throws IOException {
        List<String> unknown = new ArrayList<>();
        int options = 0;
        for (Path file : MarkdownFiles.all()) {
            for (String line : MarkdownFiles.code(file)) {
                for (String option : optionsOf(line)) {
                    options++;
                    if (!exists(option, words(line))) {
                        unknown.add(file.getFileName() + ": " + option + " in " + line.strip());
                    }
                }
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(options).isGreaterThan(100);
    }

    private static List<String> words(String line) {
        return COMMAND.matcher(line)
                .results()
                .flatMap(command -> Pattern.compile("\\s+").splitAsStream(command.group(1)))
                .toList();
    }

    private static List<String> optionsOf(String line) {
        return COMMAND.matcher(line)
                .results()
                .flatMap(command -> OPTION.matcher(command.group(1)).results())
                .map(MatchResult::group)
                .toList();
    }

    private boolean exists(String option, List<String> words) {
        CommandLine command = root;
        for (String word : words) {
            CommandLine below = command.getSubcommands().get(word);
            if (below == null) {
                break;
            }
            command = below;
        }
        return command.getCommandSpec().findOption(option) != null;
    }
}
