package io.cutwater.deploy.cli.help;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A manual page in roff, written from a command, with the headings of its {@code --help}. */
public final class ManPage {
    /** The variables that a user of an installed package may set; the reference has the others, too. */
    private static final Map<String, String> ENVIRONMENT = new TreeMap<>(Map.of(
            "JAVA_HOME", "The JDK or JRE to use. Default: java on the path",
            "CUTWATER_CLUSTER", "Folder of the local cluster, where no --dir is given. Default: ~/.cutwater/cluster",
            "CUTWATER_CONFIG",
                    "Folders of configuration files, separated by colons. Default: those under FILES, in this order",
            "CUTWATER_JAVA_OPTS", "More options for Java, such as -Xmx8g.",
            "CUTWATER_CLASSPATH", "Jars with partitioners or models of your own, separated by colons.",
            "DJL_CACHE_DIR", "Folder for the unpacked PyTorch library. Default: ~/.djl.ai"));

    private static final String EXAMPLE = "Example: ";

    private final StringBuilder page = new StringBuilder();

    private ManPage() {}

    /**
     * The pages of a command and of all its visible sub-commands.
     *
     * @return the text of each page, by the name of its file: {@code cutwater-shard-read.1}
     */
    public static Map<String, String> pages(CommandLine root, String version) {
        Map<String, String> pages = new TreeMap<>();
        collect(root, version, pages);
        return pages;
    }

    private static void collect(CommandLine command, String version, Map<String, String> pages) {
        pages.put(name(command.getCommandSpec()) + ".1", new ManPage().write(command, version));
        visible(command).forEach(below -> collect(below, version, pages));
    }

    /** The sub-commands that the help lists. */
    private static Set<CommandLine> visible(CommandLine command) {
        Set<CommandLine> below = new LinkedHashSet<>(command.getSubcommands().values());
        below.removeIf(line -> line.getCommandSpec().usageMessage().hidden());
        return below;
    }

    private static String name(CommandSpec command) {
        return command.qualifiedName("-");
    }

    private String write(CommandLine line, String version) {
        CommandSpec command = line.getCommandSpec();
        String[] description = command.usageMessage().description();
        page.append(".TH \"%s\" \"1\" \"\" \"cutwater %s\" \"Cutwater manual\"\n"
                .formatted(escape(name(command).toUpperCase(Locale.ROOT)), escape(version)));
        section("Name");
        text(name(command) + " - " + ArgumentText.plain(description[0]).replaceFirst("\\.$", ""));
        section("Synopsis");
        text(GroupedHelp.synopsis(line.getHelp()).strip());
        section("Description");
        for (String sentence : description) {
            text(ArgumentText.plain(sentence));
        }
        if (!command.positionalParameters().isEmpty()) {
            section("Parameters");
            for (PositionalParamSpec parameter : command.positionalParameters()) {
                item("\\fI" + escape(parameter.paramLabel()) + "\\fR", ArgumentText.description(parameter));
            }
        }
        Set<CommandLine> below = visible(line);
        if (!below.isEmpty()) {
            section("Commands");
            for (CommandLine each : below) {
                CommandSpec spec = each.getCommandSpec();
                item(
                        "\\fB" + escape(spec.name()) + "\\fR",
                        ArgumentText.plain(spec.usageMessage().description()[0]));
            }
        }
        GroupedHelp.byHeading(command).forEach(this::options);
        footer(command);
        if (command.parent() == null) {
            section("Environment");
            ENVIRONMENT.forEach((variable, meaning) -> item("\\fB" + escape(variable) + "\\fR", meaning));
        }
        files(command);
        section("Exit status");
        text("0: done; 1: the work failed; 2: wrong usage.");
        seeAlso(command, below);
        return page.toString();
    }

    private void options(String heading, List<OptionSpec> options) {
        section(heading);
        for (OptionSpec option : options) {
            String names = String.join(
                    "\\fR, \\fB",
                    Arrays.stream(option.names()).map(ManPage::escape).toList());
            String label = ArgumentText.label(option);
            item("\\fB%s\\fR%s".formatted(names, escape(label)), ArgumentText.description(option));
        }
    }

    /** The examples of the help, and its notes that are of no other section. */
    private void footer(CommandSpec command) {
        for (String sentence : command.usageMessage().footer()) {
            String plain = ArgumentText.plain(sentence);
            if (plain.startsWith(EXAMPLE)) {
                section("Example");
                page.append(".nf\n");
                text(plain.substring(EXAMPLE.length()).replace("./cutwater", "cutwater"));
                page.append(".fi\n");
            }
        }
    }

    private void files(CommandSpec command) {
        boolean isRoot = command.parent() == null;
        if (isRoot || command.findOption("--config") != null) {
            String file = isRoot ? "COMMAND" : name(command).substring("cutwater-".length());
            section("Files");
            item(
                    "\\fI~/.config/cutwater/%1$s.yaml\\fR, \\fI/etc/cutwater/%1$s.yaml\\fR".formatted(escape(file)),
                    "Options of the command where the command line has neither the option nor --config: a key is the"
                            + " long name of an option without its dashes. The first of the files that has an option"
                            + " takes precedence.");
        }
    }

    private void seeAlso(CommandSpec command, Set<CommandLine> below) {
        Set<String> names = new LinkedHashSet<>();
        if (command.parent() != null) {
            names.add(name(command.parent()));
        }
        below.forEach(each -> names.add(name(each.getCommandSpec())));
        if (!names.isEmpty()) {
            section("See also");
            text(String.join(", ", names.stream().map(name -> name + "(1)").toList()));
        }
    }

    private void section(String heading) {
        page.append(".SH \"").append(escape(heading.toUpperCase(Locale.ROOT))).append("\"\n");
    }

    private void item(String roff, String description) {
        page.append(".TP\n").append(roff).append('\n');
        text(description);
    }

    private void text(String text) {
        // A line that begins with a dot would be a request.
        String escaped = escape(text);
        page.append(escaped.startsWith(".") ? "\\&" : "").append(escaped).append('\n');
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(letter -> {
            switch (letter) {
                case '\\' -> escaped.append("\\e");
                case '-' -> escaped.append("\\-");
                case '\'' -> escaped.append("\\(aq");
                case '"' -> escaped.append("\\(dq");
                case '`' -> escaped.append("\\(ga");
                case '~' -> escaped.append("\\(ti");
                case '^' -> escaped.append("\\(ha");
                default -> {
                    if (letter < 128) {
                        escaped.append((char) letter);
                    } else {
                        escaped.append("\\[u%04X]".formatted(letter));
                    }
                }
            }
        });
        return escaped.toString();
    }
}
