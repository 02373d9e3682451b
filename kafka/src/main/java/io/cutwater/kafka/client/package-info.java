/** Settings of Kafka clients, secrets in them, and what all producers share. */
@NullMarked
package io.cutwater.kafka.client;

import org.jspecify.annotations.NullMarked;
