/** Sources and sinks of a job: files, Kafka topics, and the staging area of the output folder. */
@NullMarked
package io.cutwater.flink.connector;

import org.jspecify.annotations.NullMarked;
