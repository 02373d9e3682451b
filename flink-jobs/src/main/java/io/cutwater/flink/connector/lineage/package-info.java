/** What sources read and sinks write, for listeners of lineage. */
@NullMarked
package io.cutwater.flink.connector.lineage;

import org.jspecify.annotations.NullMarked;
