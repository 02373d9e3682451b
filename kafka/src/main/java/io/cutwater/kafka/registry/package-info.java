/** Schemas of records in a schema registry: Confluent's, and what speaks its protocol, and Apicurio's. */
@NullMarked
package io.cutwater.kafka.registry;

import org.jspecify.annotations.NullMarked;
