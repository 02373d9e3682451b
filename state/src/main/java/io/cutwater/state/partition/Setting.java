package io.cutwater.state.partition;

/** A parameter of one algorithm that users may set; {@code toString} tells them what it takes. */
sealed interface Setting permits NumericSetting, ChoiceSetting {
    /** As users write it. */
    String name();
}
