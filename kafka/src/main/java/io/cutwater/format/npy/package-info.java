/** NumPy arrays: edge files, feature files, and the tables of an output folder. */
@NullMarked
package io.cutwater.format.npy;

import org.jspecify.annotations.NullMarked;
