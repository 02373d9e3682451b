/** Runs several algorithms on one graph in memory, without Flink, and compares quality and speed. */
@NullMarked
package io.cutwater.deploy.compare;

import org.jspecify.annotations.NullMarked;
