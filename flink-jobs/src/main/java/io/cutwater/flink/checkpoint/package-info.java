/** State of a job: the vertex store over keyed state, and the versioned bytes of its totals. */
@NullMarked
package io.cutwater.flink.checkpoint;

import org.jspecify.annotations.NullMarked;
