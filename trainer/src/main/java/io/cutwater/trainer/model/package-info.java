/** Graph neural networks, on DJL: layers, their weights, and what they need of a sampled neighbourhood. */
@NullMarked
package io.cutwater.trainer.model;

import org.jspecify.annotations.NullMarked;
