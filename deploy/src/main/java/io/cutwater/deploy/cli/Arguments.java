package io.cutwater.deploy.cli;

import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** The words of a command line as picocli parses them: renamed options, and the options of configuration files. */
final class Arguments {
    private static final String CONFIG = "--config";
    private static final String END_OF_OPTIONS = "--";
    /** Set by the launcher: folders with a file for each command, the first one takes precedence. */
    private static final String FOLDERS = "cutwater.config";

    /** Old names of options, which are accepted for one release. */
    static final Map<String, String> RENAMED = Map.of(
            "--max-bad", "--max-malformed",
            "--train-imbalance", "--training-imbalance",
            "--worker-silence", "--worker-timeout");

    private Arguments() {}

    /**
     * Replaces old names of options, and appends the options of configuration files that the command line does not
     * have: of {@code --config}, or else of the files that are there for the command.
     *
     * @param err where a note goes for each old name, and for each file that the command line does not name
     * @throws CommandLine.ParameterException if a configuration file cannot be read, or has an option that the command
     *     does not have
     */
    static String[] complete(CommandLine root, PrintWriter err, String... args) {
        List<String> words = new ArrayList<>();
        for (String word : args) {
            String name = name(word);
            String now = RENAMED.getOrDefault(name, name);
            if (!now.equals(name)) {
                err.println("cutwater: note: %s is now %s; the old name will be removed in the next release"
                        .formatted(name, now));
            }
            words.add(now + word.substring(name.length()));
        }
        CommandLine command = command(root, words);
        if (command.getCommandSpec().optionsMap().containsKey(CONFIG)) {
            Optional<Path> named = configFile(words);
            Set<String> given = words.stream().map(Arguments::name).collect(Collectors.toCollection(HashSet::new));
            for (Path file : named.map(List::of).orElseGet(() -> filesOf(command))) {
                List<String> options = ConfigFile.read(file, command).optionsExcept(given);
                if (named.isEmpty() && !options.isEmpty()) {
                    err.println("cutwater: note: %s adds %s".formatted(file, String.join(" ", options)));
                }
                int end = words.indexOf(END_OF_OPTIONS);
                words.addAll(end < 0 ? words.size() : end, options);
                options.forEach(option -> given.add(name(option)));
            }
        }
        return words.toArray(String[]::new);
    }

    /** The files for a command that the command line does not name: {@code cluster-start.yaml}. */
    private static List<Path> filesOf(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName("-").replaceFirst("^[^-]+-", "") + ".yaml";
        return Arrays.stream(System.getProperty(FOLDERS, "").split(File.pathSeparator, -1))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, name))
                .filter(Files::exists)
                .toList();
    }

    /** The command that a command line calls. */
    static CommandLine command(CommandLine root, List<String> words) {
        CommandLine command = root;
        for (String word : words) {
            command = command.getSubcommands().getOrDefault(word, command);
        }
        return command;
    }

    private static Optional<Path> configFile(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals(CONFIG) && i + 1 < words.size()) {
                return Optional.of(Path.of(words.get(i + 1)));
            }
            if (word.startsWith(CONFIG + "=")) {
                return Optional.of(Path.of(word.substring(CONFIG.length() + 1)));
            }
        }
        return Optional.empty();
    }

    /** A word up to the equals sign of an option. */
    private static String name(String word) {
        return word.startsWith("--") ? Arrays.asList(word.split("=", 2)).get(0) : word;
    }
}
