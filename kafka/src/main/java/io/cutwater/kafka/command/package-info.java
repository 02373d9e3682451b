/** Commands to a running job, and the status of its re-partitionings. */
@NullMarked
package io.cutwater.kafka.command;

import org.jspecify.annotations.NullMarked;
