package io.cutwater.trainer.allocation;

/**
 * How much data the devices hold, and so how many shards a graph needs: as many as there are devices, or, where these
 * have no room for that much, as many as fit one by one (SDT-GNN's allocation of work). Shards beyond the devices are
 * served in turn.
 *
 * @param devices q, at least 1
 * @param deviceBytes M, memory of each, above {@code trainingBytes}
 * @param trainingBytes T, what a model and its mini-batches may take of it, at least 0
 */
public record Workload(int devices, long deviceBytes, long trainingBytes) {
    /** On the heap: id, degree, class and split; in files: where its neighbours begin. */
    private static final long VERTEX_BYTES = 29;
    /** Each of the two ends has the other's number. */
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

    /** With two thirds of the memory for training. */
    public static Workload of(int devices, long deviceBytes) {
        return new Workload(devices, deviceBytes, deviceBytes / 3 * 2);
    }

    /**
     * S: what a shard store holds of a whole graph, features dense. Vertices that are in several shards are counted
     * once: how many these are is known after the partitioning only.
     *
     * @param features of each vertex
     */
    public static long dataBytes(long vertices, long edges, long features) {
        long perVertex = Math.addExact(VERTEX_BYTES, Math.multiplyExact(features, (long) Float.BYTES));
        return Math.addExact(Math.multiplyExact(vertices, perVertex), Math.multiplyExact(edges, EDGE_BYTES));
    }

    /**
     * p = q if S ≤ q (M − T), else ⌈S / (M − T)⌉.
     *
     * @param dataBytes S, at least 0
     */
    public long shards(long dataBytes) {
        long room = deviceBytes - trainingBytes;
        long needed = dataBytes / room + (dataBytes % room == 0 ? 0 : 1);
        return Math.max(devices, needed);
    }
}
