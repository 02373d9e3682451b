/** The command that serves the live page. */
@NullMarked
package io.cutwater.deploy.cli.page;

import org.jspecify.annotations.NullMarked;
