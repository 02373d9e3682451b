/** The command line: the root command, how failures are reported, and a package of commands for each kind of work. */
@NullMarked
package io.cutwater.deploy.cli;

import org.jspecify.annotations.NullMarked;
