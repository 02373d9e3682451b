/** Help in sections, and suggestions for misspelt names. */
@NullMarked
package io.cutwater.deploy.cli.help;

import org.jspecify.annotations.NullMarked;
