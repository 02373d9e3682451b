package io.cutwater.state;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a type that code outside Cutwater may use: partitioners and models of users. A minor version may add to such a
 * type; whatever breaks its users is announced in the changelog. All other types are internal and may change in any
 * version. {@code deploy/docs/reference/public-api.md} lists the marked types.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface PublicApi {}
