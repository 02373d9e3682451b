/** Audits of an output folder: its quality and vertex data, computed again from its files. */
@NullMarked
package io.cutwater.format.audit;

import org.jspecify.annotations.NullMarked;
