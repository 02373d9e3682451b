/** Messages between assigners, vertex tables and the command topic, and their serializers. */
@NullMarked
package io.cutwater.flink.types.message;

import org.jspecify.annotations.NullMarked;
