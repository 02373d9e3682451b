package io.cutwater.kafka.shard;

import io.cutwater.kafka.event.EdgeBatchCodec;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.placement.ShardChange;
import io.cutwater.state.table.VertexLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes records of topic {@code shards}. The key is the shard number as 4 bytes, big-endian; the record
 * goes to topic partition shard mod topic partitions. The value:
 *
 * <pre>
 *   offset  bytes  content
 *   0       1      version = 1; 2 if edges have keys
 *   1       1      kind, see below
 *   2       8      generation of the plan, signed 64-bit integer, little-endian; 0 before any re-partitioning
 *   10      ...    the edges, see {@link EdgeBatchCodec}, in the same version
 *           4 n    with an even kind only, for each edge: the owners of its source and of its target, 2 bytes each,
 *                  little-endian, 0 to 4095
 *
 *   kind           the change of the shard; even kinds are those of a vertex partitioning
 *   1, 2           ADD: new edges of the graph enter
 *   3, 4           REMOVE: edges leave the shard and the graph
 *   5, 6           ADOPT: edges enter that a re-partitioning took from another shard, or whose owners it changed
 *   7, 8           EVICT: edges leave that a re-partitioning takes to another shard, or whose owners it changes
 * </pre>
 *
 * Applying the records of a shard in order yields the shard, a multiset of edges: an edge that enters adds a copy, and
 * one that leaves removes the same copy, with the same weight, timestamp, key and owners. Between two commits, edges
 * that enter may come before edges that left earlier, never the other way round; so an edge that leaves is always
 * present.
 *
 * <p>In a vertex partitioning an edge is in the shards of both owners, once in each, and the shard itself is one of the
 * two. So a reader of one shard knows which vertices it owns and the owners of its halo. A reader of all shards that
 * skips the edges whose source another shard owns has each edge once. When a vertex gets another owner, its edges leave
 * every shard that keeps them and enter it again with the new one.
 */
public final class ShardRecordCodec {
    /** The largest number of edges that a job puts in a record: 72 KiB with all columns. */
    public static final int MAX_EDGES = 2048;

    static final int VERSION = 1;
    static final int WITH_KEYS = 2;

    private static final int HEADER_BYTES = 10;
    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** The changes that a record makes to its shard. */
    public enum Kind {
        ADD(1, ShardChange.ADD, false),
        /** The edges of this kind, and of all others with such a name, have the owners of their endpoints as places. */
        ADD_OWNED(2, ShardChange.ADD, true),
        REMOVE(3, ShardChange.REMOVE, false),
        REMOVE_OWNED(4, ShardChange.REMOVE, true),
        ADOPT(5, ShardChange.ADOPT, false),
        ADOPT_OWNED(6, ShardChange.ADOPT, true),
        EVICT(7, ShardChange.EVICT, false),
        EVICT_OWNED(8, ShardChange.EVICT, true);

        private static final Kind[] ALL = values();

        private final int code;
        private final ShardChange change;
        private final boolean hasOwners;

        Kind(int code, ShardChange change, boolean hasOwners) {
            this.code = code;
            this.change = change;
            this.hasOwners = hasOwners;
        }

        /** Returns the kind of a change, in a vertex partitioning or in an edge partitioning. */
        public static Kind of(ShardChange change, boolean hasOwners) {
            for (Kind kind : ALL) {
                if (kind.change == change && kind.hasOwners == hasOwners) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("there is not a shard record for " + change);
        }

        private static Kind of(int code) {
            for (Kind kind : ALL) {
                if (kind.code == code) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("shard record kind %d is not known to this program".formatted(code));
        }

        /** Returns the change of the edges. */
        public ShardChange change() {
            return change;
        }

        /** Returns whether the edges have owners of their endpoints, as in a vertex partitioning. */
        public boolean hasOwners() {
            return hasOwners;
        }
    }

    /**
     * The content of a record besides its edges.
     *
     * @param generation of the plan, from 0; each re-partitioning begins the next
     */
    public record Header(Kind kind, long generation) {}

    private ShardRecordCodec() {}

    /**
     * Returns the key of the records of a shard.
     *
     * @param shard from 0
     */
    public static byte[] key(int shard) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(shard).array();
    }

    /**
     * Decodes the shard of a key.
     *
     * @throws IllegalArgumentException if the key is not a shard number
     */
    public static int shard(byte @Nullable [] key) {
        if (key == null || key.length != Integer.BYTES) {
            throw new IllegalArgumentException("the key of a shard record takes %d bytes, but there are %d"
                    .formatted(Integer.BYTES, key == null ? 0 : key.length));
        }
        int shard = ByteBuffer.wrap(key).getInt();
        if (shard < 0) {
            throw new IllegalArgumentException("a shard number cannot be negative: " + shard);
        }
        return shard;
    }

    /** Returns the topic partition that holds all records of a shard. */
    public static int topicPartition(int shard, int topicPartitions) {
        return shard % topicPartitions;
    }

    /** Encodes the edges {@code from} to {@code to} (exclusive) of the batch. */
    public static byte[] encode(Kind kind, long generation, EdgeBatch batch, int from, int to) {
        int body = Math.addExact(HEADER_BYTES, EdgeBatchCodec.encodedLength(batch, from, to));
        int owners = kind.hasOwners() ? Math.multiplyExact(Integer.BYTES, to - from) : 0;
        byte[] value = new byte[Math.addExact(body, owners)];
        value[0] = (byte) (batch.hasKeys() ? WITH_KEYS : VERSION);
        value[1] = (byte) kind.code;
        LONGS.set(value, 2, generation);
        EdgeBatchCodec.encode(batch, from, to, value, HEADER_BYTES);
        for (int i = 0; i < owners / Integer.BYTES; i++) {
            int at = body + i * Integer.BYTES;
            SHORTS.set(value, at, (short) Place.ofSource(batch.place(from + i)));
            SHORTS.set(value, at + Short.BYTES, (short) Place.ofTarget(batch.place(from + i)));
        }
        return value;
    }

    /**
     * Appends the edges of a value to the batch, with the owners of their endpoints as places if it has them; on an
     * exception nothing is appended.
     *
     * @throws IllegalArgumentException if the bytes are not a shard record of a known version and kind
     */
    public static Header decode(byte[] value, EdgeBatch into) {
        Header header = header(value);
        int owners = header.kind().hasOwners() ? EdgeBatchCodec.edgeCount(value, HEADER_BYTES) : 0;
        int body = value.length - HEADER_BYTES - Integer.BYTES * owners;
        checkOwners(value, owners);
        int before = into.size();
        EdgeBatchCodec.decode(value, HEADER_BYTES, body, into);
        for (int i = 0; i < owners; i++) {
            int at = HEADER_BYTES + body + i * Integer.BYTES;
            into.setPlace(before + i, Place.of(owner(value, at), owner(value, at + Short.BYTES)));
        }
        return header;
    }

    /**
     * Returns the number of edges that a value adds to the graph, counting a cut edge only in the shard that owns its
     * source.
     *
     * @param value a result of {@link #encode}, or another record of the topic, which adds none
     */
    public static int addedEdges(int shard, byte[] value) {
        if (value[1] == Kind.ADD.code) {
            return EdgeBatchCodec.edgeCount(value, HEADER_BYTES);
        }
        int added = 0;
        if (value[1] == Kind.ADD_OWNED.code) {
            int count = EdgeBatchCodec.edgeCount(value, HEADER_BYTES);
            for (int at = value.length - Integer.BYTES * count; at < value.length; at += Integer.BYTES) {
                added += owner(value, at) == shard ? 1 : 0;
            }
        }
        return added;
    }

    private static Header header(byte[] value) {
        if (value.length < HEADER_BYTES) {
            throw new IllegalArgumentException("a shard record of %d bytes is truncated: its header alone takes %d"
                    .formatted(value.length, HEADER_BYTES));
        }
        if (value[0] != VERSION && value[0] != WITH_KEYS) {
            throw new IllegalArgumentException(
                    "shard record version %d is not known; this program reads versions %d and %d"
                            .formatted(value[0] & 0xFF, VERSION, WITH_KEYS));
        }
        if (value.length > HEADER_BYTES && value[0] != value[HEADER_BYTES]) {
            throw new IllegalArgumentException("a shard record of version %d cannot hold an edge batch of version %d"
                    .formatted(value[0], value[HEADER_BYTES] & 0xFF));
        }
        return new Header(Kind.of(value[1] & 0xFF), (long) LONGS.get(value, 2));
    }

    private static void checkOwners(byte[] value, int count) {
        if (value.length - HEADER_BYTES < (long) Integer.BYTES * count) {
            throw new IllegalArgumentException(
                    "a shard record of %d bytes is truncated: the owners of its %d edges take %d"
                            .formatted(value.length, count, (long) Integer.BYTES * count));
        }
        for (int at = value.length - Integer.BYTES * count; at < value.length; at += Short.BYTES) {
            if (owner(value, at) >= VertexLayout.MAX_PARTITIONS) {
                throw new IllegalArgumentException("a shard record names owner %d, and partitions end at %d"
                        .formatted(owner(value, at), VertexLayout.MAX_PARTITIONS - 1));
            }
        }
    }

    private static int owner(byte[] value, int at) {
        return (short) SHORTS.get(value, at) & 0xFFFF;
    }
}
