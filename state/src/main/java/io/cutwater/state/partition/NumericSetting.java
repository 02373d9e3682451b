package io.cutwater.state.partition;

import io.cutwater.state.PublicApi;

/**
 * A parameter of an algorithm that is a number, such as {@code lambda=1.1}.
 *
 * @param defaultValue if users set none
 * @param min the smallest allowed value
 * @param max the largest allowed value
 */
@PublicApi
public record NumericSetting(String name, String description, double defaultValue, double min, double max)
        implements Setting {
    /** Returns this setting with the default of another algorithm. */
    public NumericSetting withDefault(double value) {
        return new NumericSetting(name, description, value, min, max);
    }

    /** @throws IllegalArgumentException if the value is not a number in the range */
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
        if (!(value >= min && value <= max)) { // also refuses NaN
            throw refusal(options, text);
        }
        return value;
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
