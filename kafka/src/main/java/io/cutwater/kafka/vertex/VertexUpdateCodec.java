package io.cutwater.kafka.vertex;

import io.cutwater.kafka.event.EdgeBatchCodec;
import io.cutwater.state.feedback.VertexUpdate;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.VertexTable;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes records of topic {@code vertex-updates}, which is internal to a job. The key is the bucket as 4
 * bytes, big-endian; the record goes to topic partition bucket · topic partitions / buckets, so that neighbouring
 * buckets are adjacent. The value, numbers big-endian:
 *
 * <pre>
 *   1 byte   version = 1; 2 if the assigner sends nothing more to this bucket; 3 if it sends whole records; 4 if it
 *            sends whole records and kept edges; 5 if kept edges move; 6 if it sends hints; 7 if it is one of several
 *            and sends kept edges; 8 if these move, or are of a vertex partitioning
 *   8 bytes  run
 *   4 bytes  assigner
 *   8 bytes  lineage
 *   4 bytes  bucket
 *   8 bytes  sequence, 0 = the assigner sends nothing more to this bucket, −1 = a batch is placed, −2, −3, −5 to −7, −9
 *            and −10 = requests with their number as the lineage, −4 = what earlier attempts have left is sent, −8 = a
 *            message between tables, −11 = owners are forgotten, −12 and −13 = a question for ends of edges, and an
 *            answer, −14 = loads of an assigner ({@link VertexUpdate})
 *   4 bytes  number of vertices
 *   each     8 bytes vertex, 2 bytes master (or −2 less the owner that is proposed), 2 bytes number of partitions, 2
 *            bytes each partition, ascending; in version 2, in their place, each of the assigner's lineages: 8 bytes
 *            lineage, 8 bytes its last sequence; in versions 3 and 4 each 8 bytes vertex, 4 bytes length, and its record
 *            ({@link io.cutwater.state.table.VertexCodec}); length −1 in versions 4 and 5: the vertex is gone, or its
 *            record is asked for
 *   version 6: as in version 1; then 4 bytes number of hints, as many for each vertex, and 8 bytes each
 *            ({@link io.cutwater.state.table.RecordExchange#copyHints})
 *   versions 7 and 8: as in version 6, without hints if the number is 0; then kept edges as in versions 4 and 5
 *   versions 4 and 5: 4 bytes length and changes of kept edges ({@link EdgeBatchCodec}); then of each its place, in
 *            version 4 as 2 bytes, in version 5 as 4: its partition in an edge partitioning, −1 for none, −2 for a
 *            removal that takes a copy away, −3 less its partition in versions 7 and 8; in versions 5 and 8 of a removal
 *            that moves a copy both partitions ({@link io.cutwater.state.graph.Place}); in a vertex partitioning of
 *            several assigners a place of both ends where otherwise a partition is
 * </pre>
 *
 * In version 1 of earlier builds the end is an update with sequence 0 and no vertices.
 */
public final class VertexUpdateCodec {
    static final byte VERSION = 1;
    static final byte END = 2;
    static final byte RECORDS = 3;
    static final byte EDGES = 4;
    static final byte MOVES = 5;
    static final byte HINTS = 6;
    static final byte SHARED_EDGES = 7;
    static final byte SHARED_MOVES = 8;

    private static final int HEADER_BYTES = 1 + 3 * Long.BYTES + 3 * Integer.BYTES;
    private static final int VERTEX_BYTES = Long.BYTES + 2 * Short.BYTES;
    private static final int LINEAGE_BYTES = 2 * Long.BYTES;
    private static final int RECORD_BYTES = Long.BYTES + Integer.BYTES;
    private static final int GONE = -1;

    private VertexUpdateCodec() {}

    public static byte[] key(VertexUpdate update) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(update.bucket()).array();
    }

    /** Returns the bucket that a key names, or −1 if it is none. */
    public static int bucket(byte[] key) {
        return key.length == Integer.BYTES ? ByteBuffer.wrap(key).getInt() : -1;
    }

    /**
     * Returns the topic partition of the updates of a bucket.
     *
     * @param buckets the number of buckets
     */
    public static int topicPartition(int bucket, int buckets, int topicPartitions) {
        return (int) ((long) bucket * topicPartitions / buckets);
    }

    public static byte[] encode(VertexUpdate update) {
        VertexBatch added = update.added();
        int size = added.size();
        boolean isEnd = update.isEnd();
        byte[] @Nullable [] records = update.records();
        if (records != null) {
            return encode(update, records);
        }
        long[] hints = update.hints();
        EdgeBatch edges = update.edges();
        boolean hasHints = hints != null || edges != null;
        int hintBytes = hasHints ? Integer.BYTES + (hints == null ? 0 : hints.length * Long.BYTES) : 0;
        byte[] encoded = edges == null ? null : EdgeBatchCodec.encode(edges, 0, edges.size());
        boolean isWide = edges != null && areWide(edges);
        int placeBytes = isWide ? Integer.BYTES : Short.BYTES;
        int edgeBytes = edges == null || encoded == null
                ? 0
                : Math.addExact(Integer.BYTES + placeBytes * edges.size(), encoded.length);
        ByteBuffer out = ByteBuffer.allocate(HEADER_BYTES
                + hintBytes
                + edgeBytes
                + (isEnd ? size * LINEAGE_BYTES : size * VERTEX_BYTES + added.replicasFrom(size) * Short.BYTES));
        out.put(isEnd ? END : isWide ? SHARED_MOVES : edges != null ? SHARED_EDGES : hints == null ? VERSION : HINTS)
                .putLong(update.run())
                .putInt(update.assigner())
                .putLong(update.lineage());
        out.putInt(update.bucket()).putLong(update.sequence()).putInt(size);
        for (int i = 0; i < size && isEnd; i++) {
            out.putLong(added.vertex(i)).putLong(added.degree(i));
        }
        for (int i = 0; i < size && !isEnd; i++) {
            out.putLong(added.vertex(i)).putShort((short) added.master(i)).putShort((short) added.replicaCount(i));
            for (int r = added.replicasFrom(i); r < added.replicasFrom(i + 1); r++) {
                out.putShort((short) added.replicas()[r]);
            }
        }
        if (hasHints) {
            out.putInt(hints == null ? 0 : hints.length);
            for (int i = 0; hints != null && i < hints.length; i++) {
                out.putLong(hints[i]);
            }
        }
        if (edges != null && encoded != null) {
            put(out, edges, encoded, isWide);
        }
        return out.array();
    }

    private static void put(ByteBuffer out, EdgeBatch edges, byte[] encoded, boolean isWide) {
        out.putInt(encoded.length).put(encoded);
        for (int i = 0; i < edges.size(); i++) {
            if (isWide) {
                out.putInt(edges.place(i));
            } else {
                out.putShort((short) edges.place(i));
            }
        }
    }

    private static byte[] encode(VertexUpdate update, byte[] @Nullable [] records) {
        int length = HEADER_BYTES;
        for (byte[] record : records) {
            length = Math.addExact(length, RECORD_BYTES + (record == null ? 0 : record.length));
        }
        EdgeBatch edges = update.edges();
        boolean isWide = edges != null && areWide(edges);
        byte[] encoded = edges == null ? null : EdgeBatchCodec.encode(edges, 0, edges.size());
        if (edges != null && encoded != null) {
            int placeBytes = isWide ? Integer.BYTES : Short.BYTES;
            length = Math.addExact(length, Integer.BYTES + encoded.length + placeBytes * edges.size());
        }
        ByteBuffer out = ByteBuffer.allocate(length);
        out.put(edges == null ? RECORDS : isWide ? MOVES : EDGES)
                .putLong(update.run())
                .putInt(update.assigner())
                .putLong(update.lineage());
        out.putInt(update.bucket()).putLong(update.sequence()).putInt(records.length);
        for (int i = 0; i < records.length; i++) {
            byte[] record = records[i];
            out.putLong(update.added().vertex(i)).putInt(record == null ? GONE : record.length);
            if (record != null) {
                out.put(record);
            }
        }
        if (edges != null && encoded != null) {
            put(out, edges, encoded, isWide);
        }
        return out.array();
    }

    /** Returns whether an edge moves, or has a place of two partitions. */
    private static boolean areWide(EdgeBatch edges) {
        boolean areWide = false;
        for (int i = 0; i < edges.size(); i++) {
            int place = edges.place(i);
            areWide |= edges.isRemoval(i) && place >= 0 || place != (short) place;
        }
        return areWide;
    }

    /** @throws IllegalArgumentException if the bytes are not exactly one update of a known version */
    public static VertexUpdate decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            byte version = in.get();
            if (version < VERSION || version > SHARED_MOVES) {
                throw new IllegalArgumentException("a vertex update of version %d; this program reads versions %d to %d"
                        .formatted(version, VERSION, SHARED_MOVES));
            }
            long run = in.getLong();
            int assigner = in.getInt();
            long lineage = in.getLong();
            int bucket = in.getInt();
            long sequence = in.getLong();
            boolean hasRecords = version >= RECORDS && version <= MOVES;
            byte[] @Nullable [] records = hasRecords ? new byte[count(in, RECORD_BYTES, "records")][] : null;
            VertexBatch added = records != null
                    ? records(in, records, version >= EDGES)
                    : version == END ? lineages(in) : vertices(in);
            long[] hints = version >= HINTS ? hints(in, added.size(), version >= SHARED_EDGES) : null;
            boolean hasEdges = version >= SHARED_EDGES || hasRecords && version >= EDGES;
            EdgeBatch edges = hasEdges ? edges(in, version) : null;
            VertexUpdate update =
                    new VertexUpdate(run, assigner, lineage, bucket, sequence, added, records, edges, hints);
            if (version == END && !update.isEnd()) {
                throw new IllegalArgumentException(
                        "a vertex update of version %d has sequence %d, not 0".formatted(version, sequence));
            }
            if (in.hasRemaining()) {
                throw new IllegalArgumentException(
                        "a vertex update ends after %d bytes, but there are %d".formatted(in.position(), bytes.length));
            }
            return update;
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a vertex update of %d bytes is truncated".formatted(bytes.length), e);
        }
    }

    /** @param least bytes of each */
    private static int count(ByteBuffer in, int least, String what) {
        int size = in.getInt();
        if (size < 0 || size > in.remaining() / least) {
            throw new IllegalArgumentException(
                    "a vertex update says %d %s, which do not fit in its %d bytes".formatted(size, what, in.limit()));
        }
        return size;
    }

    private static VertexBatch records(ByteBuffer in, byte[] @Nullable [] records, boolean mayBeGone) {
        VertexBatch vertices = new VertexBatch(records.length);
        for (int i = 0; i < records.length; i++) {
            vertices.add(in.getLong(), 0, VertexTable.NO_MASTER);
            if (mayBeGone && in.getInt(in.position()) == GONE) {
                in.getInt();
            } else {
                byte[] record = new byte[count(in, 1, "bytes of a record")];
                in.get(record);
                records[i] = record;
            }
        }
        return vertices;
    }

    private static EdgeBatch edges(ByteBuffer in, byte version) {
        byte[] encoded = new byte[count(in, 1, "bytes of edges")];
        in.get(encoded);
        EdgeBatch edges = new EdgeBatch(1);
        EdgeBatchCodec.decode(encoded, edges);
        for (int i = 0; i < edges.size(); i++) {
            int place = version == MOVES || version == SHARED_MOVES ? in.getInt() : in.getShort();
            if (place != EdgeBatch.NO_PLACE) {
                edges.setPlace(i, place);
            }
        }
        return edges;
    }

    private static long @Nullable [] hints(ByteBuffer in, int vertices, boolean mayHaveNone) {
        long[] hints = new long[count(in, Long.BYTES, "hints")];
        if (mayHaveNone && hints.length == 0) {
            return null;
        }
        if (vertices == 0 ? hints.length > 0 : hints.length % vertices != 0) {
            throw new IllegalArgumentException(
                    "a vertex update has %d hints for %d vertices".formatted(hints.length, vertices));
        }
        for (int i = 0; i < hints.length; i++) {
            hints[i] = in.getLong();
        }
        return hints;
    }

    private static VertexBatch lineages(ByteBuffer in) {
        int size = count(in, LINEAGE_BYTES, "lineages");
        VertexBatch lineages = new VertexBatch(size);
        for (int i = 0; i < size; i++) {
            long lineage = in.getLong();
            lineages.add(lineage, in.getLong(), VertexTable.NO_MASTER);
        }
        return lineages;
    }

    private static VertexBatch vertices(ByteBuffer in) {
        int size = count(in, VERTEX_BYTES, "vertices");
        VertexBatch vertices = new VertexBatch(size);
        for (int i = 0; i < size; i++) {
            long vertex = in.getLong();
            vertices.add(vertex, 0, in.getShort());
            for (int replicas = in.getShort(); replicas > 0; replicas--) {
                vertices.addReplica(in.getShort());
            }
        }
        return vertices;
    }
}
