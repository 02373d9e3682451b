/** A real KRaft broker inside this process, for the demo, for runs without a cluster, and for tests. */
@NullMarked
package io.cutwater.kafka.embedded;

import org.jspecify.annotations.NullMarked;
