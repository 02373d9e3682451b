/** The commands that write edges to topics, and read and check shards on topics. */
@NullMarked
package io.cutwater.deploy.cli.topic;

import org.jspecify.annotations.NullMarked;
