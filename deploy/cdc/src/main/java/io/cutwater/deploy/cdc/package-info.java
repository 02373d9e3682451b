/** Debezium's embedded engine as a program. */
@NullMarked
package io.cutwater.deploy.cdc;

import org.jspecify.annotations.NullMarked;
