/** The edges that a job of several tasks keeps: at the assigner and in the vertex tables, by buckets of vertices. */
@NullMarked
package io.cutwater.state.feedback.bucket;

import org.jspecify.annotations.NullMarked;
