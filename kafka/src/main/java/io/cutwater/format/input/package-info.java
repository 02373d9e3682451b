/** Opens edge files and files of vertex data in every format. */
@NullMarked
package io.cutwater.format.input;

import org.jspecify.annotations.NullMarked;
