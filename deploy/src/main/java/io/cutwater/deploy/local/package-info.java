/** The bounded run on embedded Kafka and Flink, in a temporary folder that is deleted at the end. */
@NullMarked
package io.cutwater.deploy.local;

import org.jspecify.annotations.NullMarked;
