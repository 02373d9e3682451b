/** Names and settings of the topics, and what the command line asks a broker before work begins. */
@NullMarked
package io.cutwater.kafka.topic;

import org.jspecify.annotations.NullMarked;
