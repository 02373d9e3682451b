/** Views of a run for people: progress lines and plots. */
@NullMarked
package io.cutwater.deploy.view;

import org.jspecify.annotations.NullMarked;
