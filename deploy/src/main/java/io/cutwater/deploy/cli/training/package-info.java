/** The commands that train a network on shards, and predict with it. */
@NullMarked
package io.cutwater.deploy.cli.training;

import org.jspecify.annotations.NullMarked;
