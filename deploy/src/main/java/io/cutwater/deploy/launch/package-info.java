/** What the process and its build have: version, jars of the user, parts of a cluster, its end by a signal. */
@NullMarked
package io.cutwater.deploy.launch;

import org.jspecify.annotations.NullMarked;
