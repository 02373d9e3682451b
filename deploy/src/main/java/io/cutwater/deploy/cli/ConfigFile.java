package io.cutwater.deploy.cli;

import io.cutwater.deploy.cli.help.Suggestion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * The options of a command in a YAML file.
 *
 * <p>A key is the long name of an option without its dashes. A switch is {@code true} or {@code false}; an option that
 * may be repeated has a list, or, if it takes {@code NAME=VALUE}, a mapping. Values are taken as they are written, and
 * paths are relative to the working directory, as on the command line.
 */
final class ConfigFile {
    private static final Set<String> NOT_IN_A_FILE = Set.of("--config", "--help");

    private final Path file;
    private final CommandLine command;
    private final Map<String, Node> values = new LinkedHashMap<>();

    private ConfigFile(Path file, CommandLine command) {
        this.file = file;
        this.command = command;
    }

    /** @throws ParameterException if the file cannot be read, or has a key that is not an option of the command */
    static ConfigFile read(Path file, CommandLine command) {
        ConfigFile config = new ConfigFile(file, command);
        LoadSettings settings = LoadSettings.builder().setLabel(file.toString()).build();
        try {
            new Compose(settings).composeString(Files.readString(file)).ifPresent(config::readKeys);
        } catch (NoSuchFileException e) {
            throw config.wrong("--config %s does not exist; check the path".formatted(file));
        } catch (IOException e) {
            throw config.wrong("configuration file %s cannot be read: %s".formatted(file, e.getMessage()));
        } catch (MarkedYamlEngineException e) {
            throw config.wrong("configuration file %s is not YAML%s: %s"
                    .formatted(
                            file,
                            e.getProblemMark()
                                    .map(mark -> ", line " + (mark.getLine() + 1))
                                    .orElse(""),
                            e.getProblem()));
        } catch (YamlEngineException e) {
            throw config.wrong("configuration file %s is not YAML: %s".formatted(file, e.getMessage()));
        }
        return config;
    }

    /** The options of the file as words of a command line, without those that the command line has itself. */
    List<String> optionsExcept(Set<String> given) {
        List<String> words = new ArrayList<>();
        values.forEach((name, value) -> {
            if (!given.contains(name)) {
                words.addAll(words(command.getCommandSpec().findOption(name), name, value));
            }
        });
        return words;
    }

    private void readKeys(Node root) {
        if (!(root instanceof MappingNode mapping)) {
            throw wrong("configuration file %s must have lines of the form 'option: value'".formatted(file));
        }
        for (NodeTuple entry : mapping.getValue()) {
            String key = scalar(entry.getKeyNode(), "the key");
            String name = Arguments.RENAMED.getOrDefault("--" + key, "--" + key);
            if (NOT_IN_A_FILE.contains(name) || command.getCommandSpec().findOption(name) == null) {
                throw wrong("%s: %s has no option '%s'%s"
                        .formatted(
                                place(entry.getKeyNode()),
                                command.getCommandSpec().qualifiedName(),
                                key,
                                Suggestion.nearest(key, keys())
                                        .map("; did you mean '%s'?"::formatted)
                                        .orElse("; see its --help")));
            }
            if (values.put(name, entry.getValueNode()) != null) {
                throw wrong("%s: '%s' is given twice; leave one of them out".formatted(place(entry.getKeyNode()), key));
            }
        }
    }

    private Set<String> keys() {
        return command.getCommandSpec().optionsMap().keySet().stream()
                .filter(name -> name.startsWith("--") && !NOT_IN_A_FILE.contains(name))
                .map(name -> name.substring(2))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private List<String> words(OptionSpec option, String name, Node value) {
        if (value instanceof SequenceNode list && option.isMultiValue()) {
            List<String> items =
                    list.getValue().stream().map(item -> scalar(item, name)).toList();
            return option.splitRegex().isEmpty()
                    ? items.stream().map(item -> name + "=" + item).toList()
                    : List.of(name + "=" + String.join(",", items));
        }
        if (value instanceof MappingNode mapping && option.isMultiValue()) {
            return mapping.getValue().stream()
                    .map(entry -> "%s=%s=%s"
                            .formatted(name, scalar(entry.getKeyNode(), name), scalar(entry.getValueNode(), name)))
                    .toList();
        }
        String text = scalar(value, name);
        if (option.arity().min() > 0) {
            return List.of(name + "=" + text);
        }
        if (text.equals("true")) {
            return List.of(name);
        }
        if (text.equals("false")) {
            return List.of();
        }
        if (option.arity().max() == 0) {
            throw wrong("%s: %s must be true or false: '%s'".formatted(place(value), name, text));
        }
        return List.of(name + "=" + text);
    }

    private String scalar(Node node, String what) {
        if (node instanceof ScalarNode scalar && !node.getTag().equals(Tag.NULL)) {
            return scalar.getValue();
        }
        throw wrong("%s: %s must have one value".formatted(place(node), what));
    }

    private String place(Node node) {
        return file
                + node.getStartMark().map(mark -> ":" + (mark.getLine() + 1)).orElse("");
    }

    private ParameterException wrong(String message) {
        return new ParameterException(command, message);
    }
}
