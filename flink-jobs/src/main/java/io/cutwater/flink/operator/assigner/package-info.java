/** Assigner operator, its options and its output buffers; the vertex records are behind an interface. */
@NullMarked
package io.cutwater.flink.operator.assigner;

import org.jspecify.annotations.NullMarked;
