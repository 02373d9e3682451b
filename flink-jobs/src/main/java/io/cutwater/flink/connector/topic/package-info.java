/** Flink source of a Kafka topic that checks after a restore that its offsets still exist. */
@NullMarked
package io.cutwater.flink.connector.topic;

import org.jspecify.annotations.NullMarked;
