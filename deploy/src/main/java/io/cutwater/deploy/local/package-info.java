/**
 * The bounded run on embedded Kafka and Flink, in a temporary folder that is deleted at the end.
 *
 * <p>{@link io.cutwater.deploy.local.RunRequest} is what the user asked for, in the groups of the command line;
 * {@link io.cutwater.flink.job.topology.PartitionRequest} is what the job does, in the groups input, assigner, tasks
 * and output. They stay two types: the first names files that {@link io.cutwater.deploy.local.PartitionRun} still has
 * to number or to write to a broker, and a folder that has no staging area yet, and the second is the job's, whose
 * module must not import this one. Settings that both have, such as
 * {@link io.cutwater.state.partition.PartitionerOptions} and
 * {@link io.cutwater.flink.operator.distributed.SpreadOptions}, are the same objects in both.
 */
@NullMarked
package io.cutwater.deploy.local;

import org.jspecify.annotations.NullMarked;
