package io.cutwater.state.partition;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A parameter of one algorithm that users may set, such as {@code lambda=1.1}.
 *
 * @param name as users write it
 * @param defaultValue used where they set none
 * @param min the smallest value that is taken
 * @param max the largest value that is taken
 */
public record NumericSetting(String name, double defaultValue, double min, double max) {

    /** @throws IllegalArgumentException if what was set is not a number in the range */
    public double of(PartitionerOptions options) {
        String text = options.settings().get(name);
        if (text == null) {
            return defaultValue;
        }
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw refusal(options, text);
        }
        if (!(value >= min && value <= max)) { // so that NaN is refused too
            throw refusal(options, text);
        }
        return value;
    }

    /** @throws IllegalArgumentException if something was set that is none of the algorithm's settings */
    public static void refuseUnknown(PartitionerOptions options, List<NumericSetting> known) {
        TreeSet<String> unknown = new TreeSet<>(options.settings().keySet());
        known.forEach(setting -> unknown.remove(setting.name()));
        if (unknown.isEmpty()) {
            return;
        }
        String existing = known.isEmpty()
                ? "it has no settings"
                : "there are " + known.stream().map(Object::toString).collect(Collectors.joining(", "));
        throw new IllegalArgumentException(
                "%s has no setting named '%s'; %s".formatted(options.algorithm(), unknown.first(), existing));
    }

    private IllegalArgumentException refusal(PartitionerOptions options, String text) {
        return new IllegalArgumentException("the setting '%s' of %s must be a number from %s to %s: '%s'"
                .formatted(name, options.algorithm(), min, max, text));
    }

    @Override
    public String toString() {
        return "%s (%s to %s, default %s)".formatted(name, min, max, defaultValue);
    }
}
