package io.cutwater.state.partition;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A parameter of one algorithm that users may set; {@code toString} tells them what it takes. */
public sealed interface Setting permits NumericSetting, ChoiceSetting {
    /** As users write it. */
    String name();

    /** @throws IllegalArgumentException if something was set that is none of the algorithm's settings */
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
