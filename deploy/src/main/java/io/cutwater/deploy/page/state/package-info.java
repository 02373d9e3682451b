/** What the topics of a graph have said so far, in bounded memory, as the live page shows it. */
@NullMarked
package io.cutwater.deploy.page.state;

import org.jspecify.annotations.NullMarked;
