/** The commands that compare algorithms and evaluate an assignment. */
@NullMarked
package io.cutwater.deploy.cli.quality;

import org.jspecify.annotations.NullMarked;
