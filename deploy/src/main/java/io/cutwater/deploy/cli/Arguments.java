package io.cutwater.deploy.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** The words of a command line as picocli parses them: renamed options, and the options of {@code --config}. */
final class Arguments {
    private static final String CONFIG = "--config";
    private static final String END_OF_OPTIONS = "--";

    /** Old names of options, which are accepted for one release. */
    static final Map<String, String> RENAMED = Map.of(
            "--max-bad", "--max-malformed",
            "--train-imbalance", "--training-imbalance",
            "--worker-silence", "--worker-timeout");

    private Arguments() {}

    /**
     * Replaces old names of options, and appends the options of the configuration file that the command line does not
     * have.
     *
     * @param err where a note goes for each old name
     * @throws CommandLine.ParameterException if the configuration file cannot be read, or has an option that the
     *     command does not have
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
        Optional<Path> file = configFile(words);
        if (file.isPresent() && command.getCommandSpec().optionsMap().containsKey(CONFIG)) {
            Set<String> given = words.stream().map(Arguments::name).collect(Collectors.toSet());
            int end = words.indexOf(END_OF_OPTIONS);
            words.addAll(
                    end < 0 ? words.size() : end,
                    ConfigFile.read(file.get(), command).optionsExcept(given));
        }
        return words.toArray(String[]::new);
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
