/** Parquet: edge files and the tables of an output folder. */
@NullMarked
package io.cutwater.format.parquet;

import org.jspecify.annotations.NullMarked;
