/** Charts as picture files. */
@NullMarked
package io.cutwater.deploy.plot;

import org.jspecify.annotations.NullMarked;
