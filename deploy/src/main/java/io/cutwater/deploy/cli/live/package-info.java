/** The commands that submit, watch, stop, resume and re-partition live jobs. */
@NullMarked
package io.cutwater.deploy.cli.live;

import org.jspecify.annotations.NullMarked;
