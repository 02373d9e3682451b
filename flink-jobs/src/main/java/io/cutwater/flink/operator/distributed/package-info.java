/** Access to vertices in tables in other tasks: lookups, vertex tables and updates. */
@NullMarked
package io.cutwater.flink.operator.distributed;

import org.jspecify.annotations.NullMarked;
