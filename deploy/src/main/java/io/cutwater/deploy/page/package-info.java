/**
 * The live page: an HTTP server that shows what the topics of a graph say. It reads topics only and stores nothing, so
 * it can be restarted at any time, and several can run.
 */
@NullMarked
package io.cutwater.deploy.page;

import org.jspecify.annotations.NullMarked;
