package io.cutwater.state.table;

import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.store.VarintReader;
import io.cutwater.state.store.VarintWriter;

/**
 * Encodes and decodes a vertex in the store and in lookups.
 *
 * <pre>
 *   1 byte    version (low 4 bits = 1), bit 4: has a final degree, bit 5: replicas as a bitmap, bit 6: the next byte
 *             lists more columns, bit 7: 0
 *   1 byte    if bit 6: bit 0: has a home or counters, bit 1: has a cluster, bit 2: has edges by partition, bit 3:
 *             something is known of the cluster, others 0
 *   varint    degree
 *   varint    final degree, if bit 4
 *   varint    home and the counters' partitions, varint the counters' weights, if there are any
 *   varint    id of the cluster, if there is one
 *   varint    its partition and volume, the upper bits of {@link ClusterLabel}, if bit 3 of the columns
 *   varint    master + 1, 0 for none
 *   varint    number of replicas
 *   list:     each partition as a varint difference from the one before (first from −1), minus 1
 *   bitmap:   bytes, partition p is bit p mod 8 of byte p / 8, to the last non-zero byte
 *   varint    for each replica the edges of the vertex on it, if there are any: elsewhere it has none
 * </pre>
 *
 * Home and counters are the words of {@link NeighbourHomes}. The shorter of list and bitmap is written; a tie goes to
 * the list. The number of replicas tells where either ends, so that bytes which were cut short are noticed.
 *
 * <p>k is not in the bytes. Those of a smaller k are read with a larger one as they are; those of a larger k are read
 * with a smaller one once the vertex has no replica beyond it.
 */
public final class VertexCodec {
    static final int VERSION = 1;

    private static final int VERSION_MASK = 0x0F;
    private static final int FINAL_DEGREE_FLAG = 0x10;
    private static final int BITMAP_FLAG = 0x20;
    private static final int COLUMNS_FLAG = 0x40;
    private static final int UNUSED_FLAGS = 0x80;
    private static final int HOMES_COLUMN = 1;
    private static final int CLUSTER_COLUMN = 2;
    private static final int COUNTS_COLUMN = 4;
    private static final int KNOWN_CLUSTER_COLUMN = 8;
    private static final int ALL_COLUMNS = HOMES_COLUMN | CLUSTER_COLUMN | COUNTS_COLUMN | KNOWN_CLUSTER_COLUMN;

    private final VertexLayout layout;
    private final VarintWriter out = new VarintWriter();
    private final VarintReader in = new VarintReader("a stored vertex", IllegalStateException::new);

    public VertexCodec(VertexLayout layout) {
        this.layout = layout;
    }

    byte[] encode(long[] records, int base) {
        long header = records[base + VertexLayout.HEADER];
        out.truncate(0);
        out.writeByte(0); // the flags, which are known at the end
        int flags = VERSION;
        int columns = columns(records, base);
        if (columns != 0) {
            flags |= COLUMNS_FLAG;
            out.writeByte(columns);
        }
        out.write(VertexHeader.degree(header));
        if (layout.hasFinalDegrees()) {
            flags |= FINAL_DEGREE_FLAG;
            out.write(records[base + VertexLayout.FINAL_DEGREE]);
        }
        if ((columns & HOMES_COLUMN) != 0) {
            out.write(records[base + layout.homes() + 1]);
            out.write(records[base + layout.homes()]);
        }
        if ((columns & CLUSTER_COLUMN) != 0) {
            out.write(ClusterLabel.id(records[base + layout.cluster()]));
        }
        if ((columns & KNOWN_CLUSTER_COLUMN) != 0) {
            out.write(records[base + layout.cluster()] >>> ClusterLabel.ID_BITS);
        }
        out.write(VertexHeader.master(header) + 1L);
        int replicasAt = base + layout.replicas();
        out.write(replicaCount(records, replicasAt));
        int listStart = out.size();
        writeList(records, replicasAt);
        int bitmapBytes = bitmapBytes(records, replicasAt);
        if (bitmapBytes < out.size() - listStart) {
            flags |= BITMAP_FLAG;
            out.truncate(listStart);
            for (int i = 0; i < bitmapBytes; i++) {
                out.writeByte((int) (records[replicasAt + (i >>> 3)] >>> ((i & 7) * 8)));
            }
        }
        if ((columns & COUNTS_COLUMN) != 0) {
            writeCounts(records, base);
        }
        out.setByte(0, flags);
        return out.toBytes();
    }

    /** The columns that hold something: a vertex pays for no other. */
    private int columns(long[] records, int base) {
        int columns = 0;
        if (layout.hasHomes() && (records[base + layout.homes()] | records[base + layout.homes() + 1]) != 0) {
            columns |= HOMES_COLUMN;
        }
        if (layout.hasClusters() && records[base + layout.cluster()] != 0) {
            columns |= CLUSTER_COLUMN;
            columns |= ClusterLabel.volume(records[base + layout.cluster()]) == 0 ? 0 : KNOWN_CLUSTER_COLUMN;
        }
        if (layout.hasCounts()) {
            for (int i = base + layout.counts(); i < base + layout.stride(); i++) {
                if (records[i] != 0) {
                    return columns | COUNTS_COLUMN;
                }
            }
        }
        return columns;
    }

    private void writeCounts(long[] records, int base) {
        int replicasAt = base + layout.replicas();
        for (int word = 0; word < layout.replicaWords(); word++) {
            for (long bits = records[replicasAt + word]; bits != 0; bits &= bits - 1) {
                out.write(layout.count(records, base, (word << 6) + Long.numberOfTrailingZeros(bits)));
            }
        }
    }

    private void readCounts(long[] records, int base) {
        int replicasAt = base + layout.replicas();
        for (int word = 0; word < layout.replicaWords(); word++) {
            for (long bits = records[replicasAt + word]; bits != 0; bits &= bits - 1) {
                long count = in.read();
                if (count < 0 || count > 0xFFFF_FFFFL) {
                    throw new IllegalStateException("a stored vertex has a count of edges out of range: " + count);
                }
                if (layout.hasCounts()) {
                    layout.setCount(records, base, (word << 6) + Long.numberOfTrailingZeros(bits), count);
                }
            }
        }
    }

    private int replicaCount(long[] records, int replicasAt) {
        int count = 0;
        for (int word = 0; word < layout.replicaWords(); word++) {
            count += Long.bitCount(records[replicasAt + word]);
        }
        return count;
    }

    private void writeList(long[] records, int replicasAt) {
        int previous = -1;
        for (int word = 0; word < layout.replicaWords(); word++) {
            for (long bits = records[replicasAt + word]; bits != 0; bits &= bits - 1) {
                int partition = (word << 6) + Long.numberOfTrailingZeros(bits);
                out.write(partition - previous - 1L);
                previous = partition;
            }
        }
    }

    private int bitmapBytes(long[] records, int replicasAt) {
        for (int word = layout.replicaWords() - 1; word >= 0; word--) {
            long bits = records[replicasAt + word];
            if (bits != 0) {
                return word * Long.BYTES + (Long.SIZE - Long.numberOfLeadingZeros(bits) + 7) / 8;
            }
        }
        return 0;
    }

    /**
     * @param records takes the columns of the vertex, its id excepted; its replica set must be empty there
     * @throws IllegalStateException if the bytes are of another version, cut short, too long, or name a partition
     *     beyond k
     */
    void decode(byte[] bytes, long[] records, int base) {
        in.start(bytes);
        int flags = in.readByte();
        if ((flags & VERSION_MASK) != VERSION || (flags & UNUSED_FLAGS) != 0) {
            throw new IllegalStateException("a stored vertex of version %d, flags %#x; this build reads version %d"
                    .formatted(flags & VERSION_MASK, flags & ~VERSION_MASK, VERSION));
        }
        int columns = (flags & COLUMNS_FLAG) == 0 ? 0 : in.readByte();
        if ((columns & ~ALL_COLUMNS) != 0) {
            throw new IllegalStateException(
                    "a stored vertex with columns %#x; this build knows %#x only".formatted(columns, ALL_COLUMNS));
        }
        long degree = in.read();
        if (degree != VertexHeader.degree(degree)) {
            throw new IllegalStateException("a stored vertex has a degree out of range: " + degree);
        }
        if ((flags & FINAL_DEGREE_FLAG) != 0) {
            long finalDegree = in.read();
            if (layout.hasFinalDegrees()) {
                records[base + VertexLayout.FINAL_DEGREE] = finalDegree;
            }
        }
        readColumns(columns, records, base);
        int master = readSmall() - 1;
        records[base + VertexLayout.HEADER] = VertexHeader.of(degree, master);
        int count = readSmall();
        if ((flags & BITMAP_FLAG) != 0) {
            readBitmap(records, base + layout.replicas(), count);
        } else {
            int partition = -1;
            for (int i = 0; i < count; i++) {
                partition += 1 + readSmall();
                checkPartition(partition);
                records[base + layout.replicas() + (partition >>> 6)] |= 1L << partition;
            }
        }
        if ((columns & COUNTS_COLUMN) != 0) {
            readCounts(records, base);
        }
        in.checkEnd();
    }

    /** A column that this layout lacks is passed over: another algorithm wrote it. */
    private void readColumns(int columns, long[] records, int base) {
        if ((columns & HOMES_COLUMN) != 0) {
            long places = in.read();
            long weights = in.read();
            if (layout.hasHomes()) {
                records[base + layout.homes()] = weights;
                records[base + layout.homes() + 1] = places;
            }
        }
        if ((columns & CLUSTER_COLUMN) != 0) {
            long cluster = in.read();
            long known = (columns & KNOWN_CLUSTER_COLUMN) == 0 ? 0 : in.read();
            if (cluster != ClusterLabel.id(cluster) || known >>> (Long.SIZE - ClusterLabel.ID_BITS) != 0) {
                throw new IllegalStateException(
                        "a stored vertex has a cluster out of range: %d, %d".formatted(cluster, known));
            }
            if (layout.hasClusters()) {
                records[base + layout.cluster()] = cluster | known << ClusterLabel.ID_BITS;
            }
        }
    }

    private void readBitmap(long[] records, int replicasAt, int count) {
        int found = 0;
        for (int i = 0; found < count; i++) {
            int bits = in.readByte();
            checkPartition(i * 8 + Integer.SIZE - 1 - Integer.numberOfLeadingZeros(bits | 1));
            found += Integer.bitCount(bits);
            records[replicasAt + (i >>> 3)] |= (long) bits << ((i & 7) * 8);
        }
        if (found != count) {
            throw new IllegalStateException(
                    "a stored vertex has %d replicas, but its header says %d".formatted(found, count));
        }
    }

    /** A number from 0 to k. */
    private int readSmall() {
        long value = in.read();
        if (value < 0 || value > layout.partitionCount()) {
            throw new IllegalStateException("a stored vertex has %d where %d is the largest possible"
                    .formatted(value, layout.partitionCount()));
        }
        return (int) value;
    }

    private void checkPartition(int partition) {
        if (partition >= layout.partitionCount()) {
            throw new IllegalStateException(
                    "a stored vertex is on partition %d of %d".formatted(partition, layout.partitionCount()));
        }
    }

    /** Appends a stored vertex to a batch. */
    public void decode(long vertex, byte[] bytes, VertexBatch into) {
        long[] record = new long[layout.stride()];
        record[VertexLayout.ID] = vertex;
        decode(bytes, record, 0);
        append(into, layout, record, 0);
    }

    static void append(VertexBatch into, VertexLayout layout, long[] records, int base) {
        long header = records[base + VertexLayout.HEADER];
        into.add(records[base + VertexLayout.ID], VertexHeader.degree(header), VertexHeader.master(header));
        for (int word = 0; word < layout.replicaWords(); word++) {
            for (long bits = records[base + layout.replicas() + word]; bits != 0; bits &= bits - 1) {
                into.addReplica((word << 6) + Long.numberOfTrailingZeros(bits));
            }
        }
    }
}
