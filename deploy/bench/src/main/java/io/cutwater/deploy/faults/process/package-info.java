/** Processes of a fault campaign and what can be done to them: signals, links, disks, clocks. */
@NullMarked
package io.cutwater.deploy.faults.process;

import org.jspecify.annotations.NullMarked;
