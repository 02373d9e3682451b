/** Messages between the coordinator and the workers of a training. */
@NullMarked
package io.cutwater.kafka.training;

import org.jspecify.annotations.NullMarked;
