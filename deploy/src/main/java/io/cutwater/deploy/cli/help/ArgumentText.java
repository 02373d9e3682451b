package io.cutwater.deploy.cli.help;

import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** How manual pages and the reference of options show an argument. */
final class ArgumentText {
    private ArgumentText() {}

    /** The value of an option as it follows the name; empty for a switch. */
    static String label(OptionSpec option) {
        String label = option.paramLabel();
        return switch (option.arity().max()) {
            case 0 -> "";
            case 1 -> option.arity().min() == 0 ? "[=" + label + "]" : " " + label;
            default -> " " + label + "…";
        };
    }

    /** The description on one line, with the default and the names of choices. */
    static String description(ArgSpec argument) {
        String text = String.join(" ", argument.description());
        if (argument.completionCandidates() != null) {
            text = text.replace(
                    "${COMPLETION-CANDIDATES}",
                    StreamSupport.stream(argument.completionCandidates().spliterator(), false)
                            .collect(Collectors.joining(", ")));
        }
        text = text.replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValueString()));
        boolean isRequired = argument instanceof OptionSpec && argument.required() && argument.group() == null;
        return plain(text) + (isRequired ? " Required." : "");
    }

    /** A text without the escapes of picocli's formats. */
    static String plain(String text) {
        return text.replace("%%", "%");
    }
}
