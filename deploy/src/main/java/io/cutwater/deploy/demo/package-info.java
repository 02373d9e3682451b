/** The demo: a graph grows, is partitioned, trained on and re-partitioned, all in one process. */
@NullMarked
package io.cutwater.deploy.demo;

import org.jspecify.annotations.NullMarked;
