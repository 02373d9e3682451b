/** Properties of the build and of the launcher: version, jars of the user, parts of a cluster. */
@NullMarked
package io.cutwater.deploy.launch;

import org.jspecify.annotations.NullMarked;
