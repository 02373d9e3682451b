/** Work of a bulk source on its input, in a thread of its own. */
@NullMarked
package io.cutwater.flink.connector.bulk.work;

import org.jspecify.annotations.NullMarked;
