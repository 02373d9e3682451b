/** The live job behind PostgreSQL and Debezium, with processes that die, checked against the table at the end. */
@NullMarked
package io.cutwater.deploy.faults.change;

import org.jspecify.annotations.NullMarked;
