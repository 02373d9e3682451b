package io.cutwater.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.deploy.MarkdownFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The commands in Markdown files and examples have the options that they are given there. */
class DocumentedCommandsTest {
    private static final Pattern COMMAND = Pattern.compile("^\\s*(?:until |[A-Z_]+=\\S+ )*\\./cutwater (.*)$");
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*");

    private final CommandLine root = new CommandLine(new Cutwater());

    @Test
    void everyOptionExists() throws IOException {
        List<String> unknown = new ArrayList<>();
        int options = 0;
        for (Path file : MarkdownFiles.all()) {
            for (String line : MarkdownFiles.code(file)) {
                options += check(file, line, unknown);
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(options).isGreaterThan(100);
    }

    @Test
    void everyOptionOfTheExamplesExists() throws IOException {
        List<String> unknown = new ArrayList<>();
        int options = 0;
        try (Stream<Path> examples = Files.list(Path.of("examples"))) {
            for (Path script :
                    examples.filter(file -> file.toString().endsWith(".sh")).toList()) {
                // A backslash continues a line. The scripts find the command in the search path.
                String text = Files.readString(script).replaceAll("\\\\\n *", "");
                for (String line : text.replaceAll("(?m)^( *(?:until )?)cutwater ", "$1./cutwater ")
                        .split("\n")) {
                    options += check(script, line, unknown);
                }
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(options).isGreaterThan(30);
    }

    private int check(Path file, String line, List<String> unknown) {
        List<String> options = optionsOf(line);
        for (String option : options) {
            if (!exists(option, words(line))) {
                unknown.add(file.getFileName() + ": " + option + " in " + line.strip());
            }
        }
        return options.size();
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
