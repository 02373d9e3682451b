/** Elements that flow between the operators of a job, and their serializers. */
@NullMarked
package io.cutwater.flink.types;

import org.jspecify.annotations.NullMarked;
