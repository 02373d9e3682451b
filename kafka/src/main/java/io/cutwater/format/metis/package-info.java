/** METIS graphs and partition files. */
@NullMarked
package io.cutwater.format.metis;

import org.jspecify.annotations.NullMarked;
