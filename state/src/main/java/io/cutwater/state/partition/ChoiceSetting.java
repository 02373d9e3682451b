package io.cutwater.state.partition;

import io.cutwater.state.PublicApi;
import java.util.List;

/**
 * A parameter of an algorithm that is one of a few words, such as {@code clustering=none}.
 *
 * @param choices the allowed words, the default first
 */
@PublicApi
public record ChoiceSetting(String name, String description, List<String> choices) implements Setting {

    /** @throws IllegalArgumentException if the value is not one of the choices */
    public String of(PartitionerOptions options) {
        String text = options.settings().getOrDefault(name, choices.get(0));
        if (!choices.contains(text)) {
            throw new IllegalArgumentException("the setting '%s' of %s must be %s: '%s'"
                    .formatted(name, options.algorithm(), String.join(" or ", choices), text));
        }
        return text;
    }

    @Override
    public String toString() {
        return "%s (%s, default %s)".formatted(name, String.join(" or ", choices), choices.get(0));
    }
}
