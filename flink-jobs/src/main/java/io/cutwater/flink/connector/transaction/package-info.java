/** Kafka sinks that never lose a transaction without an error. */
@NullMarked
package io.cutwater.flink.connector.transaction;

import org.jspecify.annotations.NullMarked;
