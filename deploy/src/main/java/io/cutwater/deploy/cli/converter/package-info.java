/** Converters from the text of an option to its value. */
@NullMarked
package io.cutwater.deploy.cli.converter;

import org.jspecify.annotations.NullMarked;
