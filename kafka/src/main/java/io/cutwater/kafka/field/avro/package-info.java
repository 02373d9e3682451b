/** Fields of records of Apache Avro. */
@NullMarked
package io.cutwater.kafka.field.avro;

import org.jspecify.annotations.NullMarked;
