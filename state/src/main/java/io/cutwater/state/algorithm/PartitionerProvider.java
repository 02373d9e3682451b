package io.cutwater.state.algorithm;

import io.cutwater.state.partition.Setting;
import java.util.List;

/**
 * How a partitioner is known to users: its name and its settings. Cutwater's own are made this way, and so are those of
 * a jar on the class path, which {@link java.util.ServiceLoader} finds.
 */
public interface PartitionerProvider {
    /** The name that users give: letters, digits and {@code - . _}, none that another partitioner of this kind has. */
    String name();

    /** What users may set, in the order in which they are told of it; anything else is refused. */
    default List<Setting> settings() {
        return List.of();
    }
}
