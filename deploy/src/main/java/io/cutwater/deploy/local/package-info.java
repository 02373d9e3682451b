/** The embedded run: Kafka and Flink in this process, in a temporary folder that is deleted at the end. */
@NullMarked
package io.cutwater.deploy.local;

import org.jspecify.annotations.NullMarked;
