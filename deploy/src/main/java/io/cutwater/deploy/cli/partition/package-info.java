/** The command that partitions a graph in one bounded run. */
@NullMarked
package io.cutwater.deploy.cli.partition;

import org.jspecify.annotations.NullMarked;
