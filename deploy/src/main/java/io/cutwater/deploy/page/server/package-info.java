/** The HTTP server of the live page: access, files, events and commands. */
@NullMarked
package io.cutwater.deploy.page.server;

import org.jspecify.annotations.NullMarked;
