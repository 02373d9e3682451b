/** A graph in P parts, each with the vertices of some buckets, and the messages between them. */
@NullMarked
package io.cutwater.state.parts;

import org.jspecify.annotations.NullMarked;
