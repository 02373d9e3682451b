/** Sources of a job's events: edges, vertices and commands. */
@NullMarked
package io.cutwater.flink.connector.source;

import org.jspecify.annotations.NullMarked;
