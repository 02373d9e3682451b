/** Fault campaign: seeded runs of real processes under faults, each checked by an independent recount. */
@NullMarked
package io.cutwater.deploy.faults;

import org.jspecify.annotations.NullMarked;
