/** Options of live jobs: their table, parser and values. */
@NullMarked
package io.cutwater.flink.job.option;

import org.jspecify.annotations.NullMarked;
