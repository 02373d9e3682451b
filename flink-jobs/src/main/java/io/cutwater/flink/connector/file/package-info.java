/** Flink source of edge files. */
@NullMarked
package io.cutwater.flink.connector.file;

import org.jspecify.annotations.NullMarked;
