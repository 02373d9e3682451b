/** Access to vertices in the assigner's own keyed state. */
@NullMarked
package io.cutwater.flink.operator.local;

import org.jspecify.annotations.NullMarked;
