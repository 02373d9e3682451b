/** The command line: one class per command, thin over {@link io.cutwater.deploy.local}. */
@NullMarked
package io.cutwater.deploy.cli;

import org.jspecify.annotations.NullMarked;
