/** Plain producers and consumers: files into topics, and topics read to their end. */
@NullMarked
package io.cutwater.kafka.client;

import org.jspecify.annotations.NullMarked;
