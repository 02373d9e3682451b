package io.cutwater.flink.prometheus;

import static java.util.Map.entry;

import java.util.Map;
import java.util.Set;

/**
 * What the metrics of the group {@code cutwater} mean, for readers of Prometheus. A test compares the names with those
 * that the operators register; {@code deploy/docs/reference/metrics.md} says more.
 */
final class JobMetrics {
    private static final Set<String> COUNTERS = Set.of(
            "appliedUpdates",
            "bulkUnknownRemovals",
            "collidingEdges",
            "deadLetters",
            "duplicateUpdates",
            "duplicates",
            "expiredEdges",
            "lateEdges",
            "lookups",
            "lostOffsets",
            "malformedUpdates",
            "refinedEdges",
            "rejectedVertexRecords",
            "repeatedEdges",
            "sentVertexData",
            "staleUpdates",
            "unknownKeys",
            "unknownRemovals",
            "vertexRecords");

    private static final Map<String, String> HELP = Map.ofEntries(
            entry("appliedUpdates", "Updates of vertices applied in this attempt."),
            entry("bulkEdges", "Edges read before they are placed in bulk passes."),
            entry("bulkPlaced", "Progress of all that comes before bulk edges are emitted, 0 to 1."),
            entry("bulkShare", "Progress of the bulk pass, 0 to 1."),
            entry("bulkStage", "Name of the bulk pass."),
            entry("bulkUnknownRemovals", "Removals of edges that were not in the bulk input."),
            entry("cacheBytes", "Memory that the cache of vertices occupies."),
            entry("cacheHitRate", "Share of the lookups that the cache answered, 0 to 1."),
            entry("cachedVertices", "Vertices in the cache."),
            entry("checkpointIntervalMillis", "Time between checkpoints that the job was told."),
            entry("checkpointPauseMillis", "How long the stream stopped for the last checkpoint."),
            entry("collidingEdges", "Edges left out because a text has the same id as another one."),
            entry("createdVertices", "Vertices that the task holds, in the cache or in RocksDB."),
            entry("deadLetters", "Records that were malformed."),
            entry("dirtyVertices", "Vertices in the cache that RocksDB does not have in this version."),
            entry("duplicateUpdates", "Updates received again and ignored."),
            entry("duplicates", "Edges dropped as duplicates of earlier ones."),
            entry("edgeBalance", "Edges of the fullest partition over the average, at least 1."),
            entry("edgeCutRatio", "Share of the edges whose ends are on different partitions, 0 to 1."),
            entry("edges", "Edges that are placed, less those that were removed."),
            entry("edgesPerSecond", "Edges placed per second, mean of the last minute."),
            entry("expiredEdges", "Edges removed because their time had passed."),
            entry("generation", "Number of the plan that was begun last, 0 before any re-partitioning."),
            entry("lateEdges", "Edges whose time had passed when they came, left out."),
            entry("lookups", "Vertices asked of the vertex table in this attempt."),
            entry("lookupsPerSecond", "Vertices asked of the vertex table per second, mean of the last minute."),
            entry("loopLagMillis", "Age of the updates that were applied last."),
            entry("loopLagRecords", "Records of the topic of updates that are not applied yet."),
            entry("lostOffsets", "Offsets of the input that were deleted before they were read."),
            entry("malformedUpdates", "Malformed records in the topic of updates."),
            entry("oldestUnconfirmedMillis", "Age of the oldest update that no vertex table has confirmed."),
            entry("overdueMillis", "Time for which the oldest edge should have been removed already."),
            entry("overlayVertices", "Vertices of unconfirmed updates that the assigner must remember."),
            entry("planReplicationFactor", "Replicas per vertex when the last re-partitioning was done; else NaN."),
            entry("refinedEdges", "Edges moved to better places by refinement."),
            entry("rejectedVertexRecords", "Records of vertices that were malformed."),
            entry("repartitionEdgesMoved", "Edges that the running re-partitioning has moved."),
            entry("repartitionEdgesToMove", "Edges that the running re-partitioning moves."),
            entry("repartitionState", "0 = no re-partitioning, 1 = collecting edges, 2 = planning, 3 = moving."),
            entry("repeatedEdges", "Records that changed nothing, because the edge of their key was equal."),
            entry("replicationFactor", "Replicas per vertex, at least 1."),
            entry("replicationFactorFullNeighbours", "Copies per vertex with the neighbours of all owned vertices."),
            entry("sentVertexData", "Copies of features and labels sent to shards."),
            entry("staleEdges", "Edges requested and not yet placed."),
            entry("staleUpdates", "Updates of other attempts or jobs, ignored."),
            entry("storedBytesPerVertex", "Mean size of a vertex in RocksDB, without its key."),
            entry("unconfirmedUpdates", "Updates that no vertex table has confirmed."),
            entry("unknownKeys", "Removals of keys that had no edge."),
            entry("unknownRemovals", "Removals of edges that were not there."),
            entry("vertexBalance", "Vertices of the fullest partition over the average, at least 1."),
            entry("vertexRecords", "Records of vertices read in this attempt."),
            entry("vertices", "Vertices with at least one edge."),
            entry("volumeBalance", "Sum of degrees of the fullest partition over the average, at least 1."),
            entry("waitingBatches", "Batches that wait for answers of the vertex table."),
            entry("waitingEdges", "Edges buffered until one of their ends has been placed."),
            entry("windowEdges", "Edges whose time has not passed."));

    private JobMetrics() {}

    /** Returns the names in Flink of the metrics that have a help text. */
    static Set<String> names() {
        return HELP.keySet();
    }

    /** Returns the names in Flink of those that only grow, except after a restart. */
    static Set<String> counters() {
        return COUNTERS;
    }

    static boolean isCounter(String name) {
        return COUNTERS.contains(name);
    }

    static String help(String name) {
        return HELP.getOrDefault(name, "Metric " + name + " of Cutwater.");
    }
}
