/** Progress, metrics, curves and the result of a training, for users. */
@NullMarked
package io.cutwater.deploy.cli.training.progress;

import org.jspecify.annotations.NullMarked;
