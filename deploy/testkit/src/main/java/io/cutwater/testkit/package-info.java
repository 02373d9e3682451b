/**
 * Fixtures that the tests of all modules share: a broker, a Flink cluster, ports and graphs. Depends on none of the
 * modules that it tests, so that each of them can use it.
 */
@NullMarked
package io.cutwater.testkit;

import org.jspecify.annotations.NullMarked;
