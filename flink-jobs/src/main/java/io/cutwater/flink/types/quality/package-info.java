/** Quality of a whole job and of one task, and their serializers. */
@NullMarked
package io.cutwater.flink.types.quality;

import org.jspecify.annotations.NullMarked;
