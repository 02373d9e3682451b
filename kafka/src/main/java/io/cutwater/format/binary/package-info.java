/** Scratch and staging files of binary numbers, and their sorting in bounded memory. */
@NullMarked
package io.cutwater.format.binary;

import org.jspecify.annotations.NullMarked;
