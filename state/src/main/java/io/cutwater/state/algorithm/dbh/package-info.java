/** Degree-based hashing. */
@NullMarked
package io.cutwater.state.algorithm.dbh;

import org.jspecify.annotations.NullMarked;
