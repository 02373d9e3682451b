/** Edge events, the records of topic {@code edges}, in their formats. */
@NullMarked
package io.cutwater.kafka.event;

import org.jspecify.annotations.NullMarked;
