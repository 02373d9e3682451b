/** On-disk datasets of DGL's GraphBolt. */
@NullMarked
package io.cutwater.format.graphbolt;

import org.jspecify.annotations.NullMarked;
