package io.cutwater.deploy.faults.change;

import io.cutwater.deploy.faults.change.Payments.Shape;
import java.util.List;

/**
 * A table, how Debezium writes its changes, and how the job reads them.
 *
 * @param shape of the table
 * @param debezium properties of Debezium, one per line, beside those that all cases have
 * @param options of {@code submit} that map the records
 * @param jobKills how often a process of the cluster is killed
 * @param feedKills how often Debezium's engine is killed, after which it writes some events again
 * @param truncate what a truncated table does to the edges; NEVER if it is not truncated
 */
public record ChangeCase(
        String name, Shape shape, String debezium, String options, int jobKills, int feedKills, Truncation truncate) {
    private static final String PLAIN = "converter.schemas.enable=false\n";
    private static final String AVRO = "converter.class=io.cutwater.deploy.cdc.RegistryAvroConverter\n";
    private static final String WITH_SCHEMAS = "converter.schemas.enable=true\n";
    private static final String ENVELOPE = "--source after.payer --target after.payee";
    private static final String ROW = "--source payer --target payee";

    /** What happens when the table is truncated. */
    enum Truncation {
        NEVER,
        /** The edges stay. */
        IGNORE,
        /** The job ends with an error. */
        FAIL,
        /** The edges leave. */
        REMOVE
    }

    /** Returns properties of Debezium with rows without envelopes. */
    private static String unwrapped(String encoding, String deletes) {
        return encoding + """
                transforms=unwrap,route
                transforms.unwrap.type=io.debezium.transforms.ExtractNewRecordState
                transforms.unwrap.delete.tombstone.handling.mode=%s
                transforms.unwrap.add.fields=op
                """.formatted(deletes);
    }

    /** All cases. */
    public static List<ChangeCase> all() {
        Shape full = new Shape(true, true, false);
        Shape ids = new Shape(true, false, false);
        Shape ends = new Shape(false, false, false);
        Shape text = new Shape(true, false, true);
        return List.of(
                of("envelope-full", full, PLAIN, ENVELOPE, 2, 0),
                of(
                        "envelope-schemas-full-weight",
                        full,
                        WITH_SCHEMAS,
                        ENVELOPE + " --weight after.amount --timestamp source.ts_ms",
                        1,
                        0),
                of("envelope-default-ends", ends, PLAIN, ENVELOPE, 1, 0),
                of("envelope-default-record-key", ids, WITH_SCHEMAS, ENVELOPE + " --edge-key :key", 1, 1),
                of("envelope-default-field-key", ids, PLAIN, ENVELOPE + " --edge-key after.id", 1, 1),
                of("rows-rewrite-ends", ends, unwrapped(PLAIN, "rewrite"), ROW, 1, 0),
                of(
                        "rows-rewrite-tombstone-field-key",
                        ids,
                        unwrapped(PLAIN, "rewrite-with-tombstone"),
                        ROW + " --edge-key id --tombstones ignore",
                        1,
                        1),
                of("rows-tombstone-record-key", ids, unwrapped(PLAIN, "tombstone"), ROW + " --edge-key :key", 1, 1),
                of(
                        "rows-delete-to-tombstone-record-key",
                        ids,
                        unwrapped(PLAIN, "delete-to-tombstone"),
                        ROW + " --edge-key :key",
                        1,
                        1),
                of("avro-envelope-full", full, AVRO, ENVELOPE + " --weight after.amount", 1, 0),
                of("avro-envelope-default-ends", ends, AVRO, ENVELOPE, 1, 0),
                of("avro-envelope-default-field-key", ids, AVRO, ENVELOPE + " --edge-key after.id", 1, 1),
                of("avro-rows-rewrite-ends", ends, unwrapped(AVRO, "rewrite"), ROW, 1, 0),
                of("text-record-key", text, PLAIN, ENVELOPE + " --edge-key :key --ids text", 1, 1),
                new ChangeCase(
                        "truncate-ignore", full, PLAIN, ENVELOPE + " --on-truncate ignore", 1, 0, Truncation.IGNORE),
                new ChangeCase(
                        "truncate-remove",
                        ids,
                        PLAIN,
                        ENVELOPE + " --edge-key after.id --on-truncate remove",
                        1,
                        1,
                        Truncation.REMOVE),
                new ChangeCase("truncate-fail", full, PLAIN, ENVELOPE, 0, 0, Truncation.FAIL));
    }

    private static ChangeCase of(
            String name, Shape shape, String debezium, String options, int jobKills, int feedKills) {
        return new ChangeCase(name, shape, debezium, options, jobKills, feedKills, Truncation.NEVER);
    }

    /** Returns whether Debezium writes Avro, with schemas in a registry. */
    boolean isAvro() {
        return debezium.startsWith(AVRO);
    }

    @Override
    public String toString() {
        return name;
    }
}
