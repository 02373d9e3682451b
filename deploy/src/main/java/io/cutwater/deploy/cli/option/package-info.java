/** Groups of options that several commands share, with the checks of their values. */
@NullMarked
package io.cutwater.deploy.cli.option;

import org.jspecify.annotations.NullMarked;
