/** What users read about options: help in sections, suggestions, and the reference page. */
@NullMarked
package io.cutwater.deploy.cli.help;

import org.jspecify.annotations.NullMarked;
