package io.cutwater.flink.job.option;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.TextElement;
import org.apache.flink.util.TimeUtils;

/**
 * A declared option of the live job, as {@code --name value} on the command line.
 *
 * @param defaultText its default as users write it; empty for none
 * @param description one sentence
 * @param isSwitch whether the value is {@code true} or {@code false}
 */
public record JobOption(String name, String defaultText, String description, boolean isSwitch) {
    /** All options of the live job. */
    public static final List<JobOption> ALL =
            LiveJobConfig.ALL.stream().map(JobOption::of).toList();

    private static JobOption of(ConfigOption<?> option) {
        // The text of a description without markup, which is all that the declarations use.
        String description = ((TextElement) option.description().getBlocks().get(0)).getFormat();
        return new JobOption(option.key(), defaultText(option), description, option.defaultValue() instanceof Boolean);
    }

    /** Returns the default of an option in the users' notation; empty if it has none. */
    public static String defaultOf(String name) {
        return ALL.stream()
                .filter(option -> option.name().equals(name))
                .map(JobOption::defaultText)
                .findFirst()
                .orElse("");
    }

    static String defaultText(ConfigOption<?> option) {
        if (!option.hasDefaultValue()) {
            return "";
        }
        return option.defaultValue() instanceof Duration duration
                ? TimeUtils.formatWithHighestUnit(duration)
                : option.defaultValue().toString();
    }
}
