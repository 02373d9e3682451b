/** Checks of what Cutwater needs: this machine, the Kafka brokers, the Flink cluster. */
@NullMarked
package io.cutwater.deploy.doctor;

import org.jspecify.annotations.NullMarked;
