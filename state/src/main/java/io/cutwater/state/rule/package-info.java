/** Rules: what answers where an edge or a vertex goes. They know neither the loop that asks them nor the job. */
@NullMarked
package io.cutwater.state.rule;

import org.jspecify.annotations.NullMarked;
