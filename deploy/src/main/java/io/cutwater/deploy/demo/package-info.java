/** The demonstration: a graph grows, is partitioned, trained on and partitioned again, all in one process. */
@NullMarked
package io.cutwater.deploy.demo;

import org.jspecify.annotations.NullMarked;
