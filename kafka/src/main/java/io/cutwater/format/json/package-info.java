/** The report of a run and its JSON. */
@NullMarked
package io.cutwater.format.json;

import org.jspecify.annotations.NullMarked;
