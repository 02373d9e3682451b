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
            throw refusal("a number", options);
        }
        if (!(value >= min && value <= max)) { // also refuses NaN
            throw refusal("a number", options);
        }
        return value;
    }

    /**
     * Returns the value of a setting that counts something; {@code 2e4} is a whole number, too.
     *
     * @throws IllegalArgumentException if the value is not a whole number in the range
     */
    public long wholeOf(PartitionerOptions options) {
        double value = of(options);
        if (value != Math.rint(value)) {
            throw refusal("a whole number", options);
        }
        return (long) value;
    }

    private IllegalArgumentException refusal(String what, PartitionerOptions options) {
        return new IllegalArgumentException("the setting '%s' of %s must be %s from %s to %s: '%s'"
                .formatted(
                        name,
                        options.algorithm(),
                        what,
                        format(min),
                        format(max),
                        options.settings().get(name)));
    }

    /** Limits that are whole numbers without a fraction or an exponent. */
    private static String format(double limit) {
        return limit == Math.rint(limit) && Math.abs(limit) <= 1e15 ? Long.toString((long) limit) : "" + limit;
    }

    @Override
    public String toString() {
        return "%s (%s to %s, default %s)".formatted(name, format(min), format(max), format(defaultValue));
    }
}
