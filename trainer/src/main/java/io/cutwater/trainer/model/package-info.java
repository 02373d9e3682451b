/** Graph neural networks on DJL: layers, their weights, and aggregation over sampled neighbourhoods. */
@NullMarked
package io.cutwater.trainer.model;

import org.jspecify.annotations.NullMarked;
