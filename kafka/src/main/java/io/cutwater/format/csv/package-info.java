/** Comma-separated values: the tables of an output folder, and feature tables. */
@NullMarked
package io.cutwater.format.csv;

import org.jspecify.annotations.NullMarked;
