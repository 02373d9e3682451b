/** Thin shells around the partitioners and tables of the state module: life cycle, batching, side outputs. */
@NullMarked
package io.cutwater.flink.operator;

import org.jspecify.annotations.NullMarked;
