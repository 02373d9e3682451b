/** Fields of records of Protocol Buffers. */
@NullMarked
package io.cutwater.kafka.field.protobuf;

import org.jspecify.annotations.NullMarked;
