/**
 * The tables of an output folder before they have a format: staged edges, sorted vertices, and the interface that each
 * format implements.
 */
@NullMarked
package io.cutwater.format.table;

import org.jspecify.annotations.NullMarked;
