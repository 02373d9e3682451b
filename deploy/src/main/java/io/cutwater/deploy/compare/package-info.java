/** Several algorithms on one graph in memory, without Flink: how good, and how fast. */
@NullMarked
package io.cutwater.deploy.compare;

import org.jspecify.annotations.NullMarked;
