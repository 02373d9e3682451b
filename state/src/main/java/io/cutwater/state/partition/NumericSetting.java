package io.cutwater.state.partition;

/**
 * A parameter of one algorithm that users may set, such as {@code lambda=1.1}.
 *
 * @param name as users write it
 * @param defaultValue used where they set none
 * @param min the smallest value that is taken
 * @param max the largest value that is taken
 */
public record NumericSetting(String name, double defaultValue, double min, double max) implements Setting {

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

    private IllegalArgumentException refusal(PartitionerOptions options, String text) {
        return new IllegalArgumentException("the setting '%s' of %s must be a number from %s to %s: '%s'"
                .formatted(name, options.algorithm(), min, max, text));
    }

    @Override
    public String toString() {
        return "%s (%s to %s, default %s)".formatted(name, min, max, defaultValue);
    }
}
