/** Comma-separated values: the tables of an output folder, feature tables, names, and dead letters. */
@NullMarked
package io.cutwater.format.csv;

import org.jspecify.annotations.NullMarked;
