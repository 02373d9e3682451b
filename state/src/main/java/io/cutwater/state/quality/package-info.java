/** Quality of an edge or a vertex partitioning, counted the same way in the job and in the recount. */
@NullMarked
package io.cutwater.state.quality;

import org.jspecify.annotations.NullMarked;
