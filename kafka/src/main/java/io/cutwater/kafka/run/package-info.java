/** The runs of a graph: who owns its topics, what they hold, and the latest report. */
@NullMarked
package io.cutwater.kafka.run;

import org.jspecify.annotations.NullMarked;
