/** The module's marker of its public types; everything else is in the packages below. */
@NullMarked
package io.cutwater.state;

import org.jspecify.annotations.NullMarked;
