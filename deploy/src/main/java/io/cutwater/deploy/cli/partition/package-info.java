/** The commands that partition a graph once, compare algorithms, and evaluate an assignment. */
@NullMarked
package io.cutwater.deploy.cli.partition;

import org.jspecify.annotations.NullMarked;
