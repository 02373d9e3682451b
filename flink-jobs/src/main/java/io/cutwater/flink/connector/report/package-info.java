/** Quality reports of a running job. */
@NullMarked
package io.cutwater.flink.connector.report;

import org.jspecify.annotations.NullMarked;
