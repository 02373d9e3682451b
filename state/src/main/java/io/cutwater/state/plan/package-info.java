/** Planning: which cluster lives on which partition, decided on the small graph of clusters. */
@NullMarked
package io.cutwater.state.plan;

import org.jspecify.annotations.NullMarked;
