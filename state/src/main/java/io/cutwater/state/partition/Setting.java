package io.cutwater.state.partition;

import io.cutwater.state.PublicApi;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A parameter of an algorithm that users may set; {@code toString} says what it takes. */
@PublicApi
public sealed interface Setting permits NumericSetting, ChoiceSetting {
    /** Returns the name for users. */
    String name();

    /** A noun phrase for help and for the reference page. */
    String description();

    /** @throws IllegalArgumentException if the options set something that is not among the known settings */
    static void refuseUnknown(PartitionerOptions options, List<? extends Setting> known) {
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
}
