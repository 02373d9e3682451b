/** Texts of vertices whose ids are hashes of them. */
@NullMarked
package io.cutwater.state.text;

import org.jspecify.annotations.NullMarked;
