/** Files of bytes: compressed input, and hashed and forced output. */
@NullMarked
package io.cutwater.format.file;

import org.jspecify.annotations.NullMarked;
