/** What flows between the operators of a job, with the serializers that put it on the wire. */
@NullMarked
package io.cutwater.flink.types;

import org.jspecify.annotations.NullMarked;
