/** The commands that start, show and stop the local cluster. */
@NullMarked
package io.cutwater.deploy.cli.cluster;

import org.jspecify.annotations.NullMarked;
