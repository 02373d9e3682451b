package io.cutwater.deploy.cli.help;

import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Usage help whose options stand under headings.
 *
 * <p>The groups are mixins with a {@link Heading}. Picocli's own headings need an {@code ArgGroup}, and inside one
 * picocli does not enforce required options and does not name an option that is given twice.
 */
public final class GroupedHelp {
    private static final String DEFAULT_HEADING = "Options";

    private GroupedHelp() {}

    /** Uses the headings in the usage help of a command and of all its sub-commands. */
    public static void install(CommandLine line) {
        Map<String, IHelpSectionRenderer> sections = new LinkedHashMap<>(line.getHelpSectionMap());
        sections.put(UsageMessageSpec.SECTION_KEY_SYNOPSIS, GroupedHelp::synopsis);
        sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, GroupedHelp::options);
        line.setHelpSectionMap(sections);
    }

    /** The visible options of a command by heading, in the order in which they are declared. */
    static Map<String, List<OptionSpec>> byHeading(CommandSpec command) {
        Map<String, List<OptionSpec>> headings = new LinkedHashMap<>();
        for (OptionSpec option : command.options()) {
            if (!option.hidden()) {
                headings.computeIfAbsent(heading(option), heading -> new ArrayList<>())
                        .add(option);
            }
        }
        return headings;
    }

    /** An option that is built in code, not by an annotation, has its heading as user object. */
    private static String heading(OptionSpec option) {
        if (option.userObject() instanceof String heading) {
            return heading;
        }
        Heading heading = option.userObject() instanceof Member member
                ? member.getDeclaringClass().getAnnotation(Heading.class)
                : null;
        return heading == null ? DEFAULT_HEADING : heading.value();
    }

    /** The required options by name, and all others as {@code [OPTIONS]}. */
    static String synopsis(Help help) {
        String required = help.commandSpec().options().stream()
                .filter(option -> option.required() && option.group() == null)
                .map(option -> option.longestName() + " " + option.paramLabel() + " ")
                .collect(Collectors.joining());
        return help.abbreviatedSynopsis().replace("[OPTIONS]", required + "[OPTIONS]");
    }

    private static String options(Help help) {
        Map<String, List<OptionSpec>> headings = byHeading(help.commandSpec());
        List<OptionSpec> all = headings.values().stream().flatMap(List::stream).toList();
        StringBuilder text = new StringBuilder();
        headings.forEach((heading, options) -> {
            Help.Layout layout = help.createDefaultLayout(all, List.of(), help.colorScheme());
            layout.addOptions(options, help.parameterLabelRenderer());
            text.append(System.lineSeparator())
                    .append(heading)
                    .append(':')
                    .append(System.lineSeparator())
                    .append(layout);
        });
        return text.toString();
    }
}
