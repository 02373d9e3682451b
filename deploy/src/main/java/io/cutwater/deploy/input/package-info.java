/** The input of bounded commands: edge files and topics, how far they are read, and ingestion into topics. */
@NullMarked
package io.cutwater.deploy.input;

import org.jspecify.annotations.NullMarked;
