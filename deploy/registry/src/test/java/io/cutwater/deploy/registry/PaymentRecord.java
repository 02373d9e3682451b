package io.cutwater.deploy.registry;

import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A record of a topic of payments.
 *
 * @param edge {@code payer payee}; empty for a malformed record
 * @param reason regular expression in the reason of its dead letter; null for an edge
 */
record PaymentRecord(
        byte[] value,
        Headers headers,
        String edge,
        @Nullable String reason) {
    static PaymentRecord edge(byte[] value, Headers headers, long payer, long payee) {
        return new PaymentRecord(value, headers, payer + " " + payee, null);
    }

    static PaymentRecord malformed(byte[] value, Headers headers, String reason) {
        return new PaymentRecord(value, headers, "", reason);
    }
}
