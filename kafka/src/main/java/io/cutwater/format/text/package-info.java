/** Text with one edge, vertex, or number per line: scanners, readers, and the names of vertices whose ids are text. */
@NullMarked
package io.cutwater.format.text;

import org.jspecify.annotations.NullMarked;
