package io.cutwater.kafka.registry;

import io.cutwater.kafka.field.FieldReader;
import io.cutwater.kafka.field.FieldTree;
import io.cutwater.kafka.field.FieldValues;
import io.cutwater.kafka.field.MalformedBytesException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads records that name their schemas in a registry. A name means one schema for ever, so each is asked for once.
 * While the registry does not answer, {@code read} waits: records are neither lost nor skipped. A record whose name the
 * registry does not have is rejected, and the name is asked for again after a minute.
 */
final class RegistryFieldReader implements FieldReader {
    /** Waits between two requests. */
    @FunctionalInterface
    interface Pause {
        void millis(long millis) throws InterruptedException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(RegistryFieldReader.class);
    private static final long FIRST_PAUSE_MILLIS = 1_000;
    private static final long LONGEST_PAUSE_MILLIS = 30_000;
    private static final long UNKNOWN_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX_UNKNOWN = 1_000;

    /**
     * A schema that was asked for.
     *
     * @param reader of its records; null if they cannot be read
     * @param reason for which they cannot be read
     * @param origin what the reason of a dead letter ends with
     */
    private record Known(
            @Nullable FieldReader reader, @Nullable String reason, String origin) {}

    private final RegistryEncoding encoding;
    private final FieldTree tree;
    private final boolean isKey;
    private final WireFormat wire;
    private final Pause pause;
    private final Map<SchemaId, Known> known = new HashMap<>();

    /** When each unknown name was asked for; only the newest, since a producer may write any bytes. */
    private final Map<SchemaId, Long> unknown = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SchemaId, Long> eldest) {
            return size() > MAX_UNKNOWN;
        }
    };

    private @Nullable RegistryClient client;
    private @Nullable SchemaId last;
    private @Nullable Known ofLast;

    RegistryFieldReader(RegistryEncoding encoding, boolean isKey, FieldTree tree) {
        this(encoding, isKey, tree, Thread::sleep);
    }

    RegistryFieldReader(RegistryEncoding encoding, boolean isKey, FieldTree tree, Pause pause) {
        this.encoding = encoding;
        this.tree = tree;
        this.isKey = isKey;
        this.pause = pause;
        wire = new WireFormat(encoding.registry(), isKey);
    }

    @Override
    public @Nullable String read(byte[] record, int offset, Headers headers, FieldValues into) {
        try {
            SchemaId id = wire.find(record, headers, last);
            Known schema = ofLast;
            if (schema == null || !id.equals(last)) {
                schema = schema(id);
                last = schema == null ? null : id;
                ofLast = schema;
            }
            if (schema == null) {
                into.clear();
                return "the registry at %s does not have %s".formatted(encoding.registry(), id);
            }
            return read(schema, record, headers, into);
        } catch (MalformedBytesException e) {
            into.clear();
            return e.getMessage();
        }
    }

    private @Nullable String read(Known schema, byte[] record, Headers headers, FieldValues into) {
        if (schema.reader() == null) {
            into.clear();
            return schema.reason() + schema.origin();
        }
        String reason = schema.reader().read(record, wire.offset(), headers, into);
        into.setOrigin(schema.origin());
        return reason == null ? null : reason + schema.origin();
    }

    private @Nullable Known schema(SchemaId id) {
        Known asked = known.get(id);
        if (asked != null) {
            return asked;
        }
        Long missed = unknown.get(id);
        if (missed != null && System.nanoTime() - missed < UNKNOWN_NANOS) {
            return null;
        }
        Known schema = await(id);
        if (schema == null) {
            unknown.put(id, System.nanoTime());
        } else {
            known.put(id, schema);
        }
        return schema;
    }

    /** Asks until the registry answers; null if it does not have the schema. */
    private @Nullable Known await(SchemaId id) {
        long millis = FIRST_PAUSE_MILLIS;
        try {
            while (true) {
                try {
                    return ask(id);
                } catch (RegistryUnavailableException e) {
                    LOG.warn(
                            "{}; a record with {} waits for it, and all records behind it; the next request follows in {} s",
                            e.getMessage(),
                            id,
                            TimeUnit.MILLISECONDS.toSeconds(millis));
                    pause.millis(millis);
                    millis = Math.min(2 * millis, LONGEST_PAUSE_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(
                    "interrupted while waiting for the schema registry at " + encoding.registry(), e);
        }
    }

    private FieldReader reader(RegisteredSchema schema, RegistryClient registry)
            throws RegistryUnavailableException, InterruptedException {
        String message = isKey ? "" : encoding.message();
        return encoding.type().reader(schema, registry, tree, isKey, message);
    }

    private @Nullable Known ask(SchemaId id) throws RegistryUnavailableException, InterruptedException {
        if (client == null) {
            client = new RegistryClient(encoding.registry());
        }
        String origin = " (%s)".formatted(id);
        try {
            RegisteredSchema schema = client.schema(id);
            return schema == null ? null : new Known(reader(schema, client), null, origin);
        } catch (MalformedBytesException e) {
            return new Known(null, e.getMessage(), origin);
        }
    }
}
