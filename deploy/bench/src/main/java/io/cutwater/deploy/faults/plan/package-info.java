/** Plans of fault campaign runs, which a seed determines. */
@NullMarked
package io.cutwater.deploy.faults.plan;

import org.jspecify.annotations.NullMarked;
