/** State of Kafka transactions after a restore: committed, aborted or unknown, with their offsets. */
@NullMarked
package io.cutwater.flink.connector.transaction.fate;

import org.jspecify.annotations.NullMarked;
