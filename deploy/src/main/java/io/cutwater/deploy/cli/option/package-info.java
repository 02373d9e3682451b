/** Options that several commands share, and what reads or checks their values. */
@NullMarked
package io.cutwater.deploy.cli.option;

import org.jspecify.annotations.NullMarked;
