/** The chunked graph that the distributed preprocessing of DGL reads. */
@NullMarked
package io.cutwater.format.dgl;

import org.jspecify.annotations.NullMarked;
