/** The table of algorithms, which is the only place that describes them. Each family has a package below. */
@NullMarked
package io.cutwater.state.algorithm;

import org.jspecify.annotations.NullMarked;
