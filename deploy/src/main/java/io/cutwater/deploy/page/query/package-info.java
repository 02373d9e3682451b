/** Answers to questions of viewers, for which topics are read: single vertices, neighbourhoods, comparisons. */
@NullMarked
package io.cutwater.deploy.page.query;

import org.jspecify.annotations.NullMarked;
