/** Quality of assignments in files, such as those of other tools. */
@NullMarked
package io.cutwater.deploy.evaluation;

import org.jspecify.annotations.NullMarked;
