package io.cutwater.trainer.allocation;

/**
 * Memory of the devices that a training runs on, and the number of shards that a graph needs there: one per device, or,
 * if they do not fit at once, as many as fit one by one (work allocation of SDT-GNN). Shards beyond the number of
 * devices are served in turn.
 *
 * @param devices q, at least 1
 * @param deviceBytes M, memory of each device in bytes, above {@code trainingBytes}
 * @param trainingBytes T, bytes reserved for a model and its mini-batches, at least 0
 */
public record Workload(int devices, long deviceBytes, long trainingBytes) {
    /** Heap bytes for id, degree, class and split, and file bytes for the offset of the neighbours. */
    private static final long VERTEX_BYTES = 29;
    /** Bytes of an edge: each of its two endpoints stores the number of the other. */
    private static final long EDGE_BYTES = 8;

    public Workload {
        if (devices < 1) {
            throw new IllegalArgumentException("devices must be at least 1: " + devices);
        }
        if (trainingBytes < 0 || deviceBytes <= trainingBytes) {
            throw new IllegalArgumentException(
                    "a device must have more memory than the %d bytes that training takes: %d"
                            .formatted(trainingBytes, deviceBytes));
        }
    }

    /** Reserves two thirds of the memory for training. */
    public static Workload of(int devices, long deviceBytes) {
        return new Workload(devices, deviceBytes, deviceBytes / 3 * 2);
    }

    /**
     * Returns S, the bytes of a shard store of a whole graph with dense features. Vertices that are in several shards
     * are counted once, because their number is known only after partitioning.
     *
     * @param features number of features of a vertex
     */
    public static long dataBytes(long vertices, long edges, long features) {
        long perVertex = Math.addExact(VERTEX_BYTES, Math.multiplyExact(features, (long) Float.BYTES));
        return Math.addExact(Math.multiplyExact(vertices, perVertex), Math.multiplyExact(edges, EDGE_BYTES));
    }

    /**
     * Returns p = q if S ≤ q (M − T), otherwise ⌈S / (M − T)⌉.
     *
     * @param dataBytes S, at least 0
     */
    public long shards(long dataBytes) {
        long room = deviceBytes - trainingBytes;
        long needed = dataBytes / room + (dataBytes % room == 0 ? 0 : 1);
        return Math.max(devices, needed);
    }
}
