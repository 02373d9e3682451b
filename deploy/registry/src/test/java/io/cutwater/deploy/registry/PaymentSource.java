package io.cutwater.deploy.registry;

import java.util.ArrayList;
import java.util.List;

/** Producer of payments in one format; it registers the schemas. */
interface PaymentSource extends AutoCloseable {
    String TOO_LARGE = "18446744073709551616";

    /** Text of 1 MiB. */
    String LONG_TEXT = "9".repeat(1 << 20);

    /** Value of {@code --event-format}. */
    String format();

    /** Value of {@code --schema-registry}. */
    String registry();

    /** Options of the mapping; the target, {@code payee}, is the last. */
    String mapping();

    /** Returns the record of an edge. */
    PaymentRecord edge(long payer, long payee);

    /** Returns a record of each kind that is not an edge. */
    List<PaymentRecord> malformed() throws Exception;

    /** Returns edges with the malformed records spread among them. */
    default List<PaymentRecord> mixed(int count) throws Exception {
        List<PaymentRecord> malformed = malformed();
        int distance = count / (malformed.size() + 1);
        List<PaymentRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (i > 0 && i % distance == 0 && i / distance <= malformed.size()) {
                records.add(malformed.get(i / distance - 1));
            }
            records.add(edge(i % 97, i * 31L % 1_009));
        }
        return records;
    }

    @Override
    void close();
}
