/** Queries and commands to a Flink cluster's REST endpoint, and the key of a local cluster. Imports no Flink. */
@NullMarked
package io.cutwater.deploy.cluster.rest;

import org.jspecify.annotations.NullMarked;
