/** Places that are chosen for a buffer of edges together, near what is known from the edges before. */
@NullMarked
package io.cutwater.state.joint;

import org.jspecify.annotations.NullMarked;
