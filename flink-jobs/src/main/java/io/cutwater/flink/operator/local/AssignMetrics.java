package io.cutwater.flink.operator.local;

import io.cutwater.flink.operator.assigner.QualityMetrics;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.VertexTable;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MeterView;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of an assigner that holds the vertices itself, in the group {@value QualityMetrics#GROUP};
 * {@code deploy/docs/reference/metrics.md} lists names and units. Reporter threads read them without a lock, so a value
 * may be slightly out of date.
 */
final class AssignMetrics {
    private final LocalTables tables;
    private final Supplier<Quality> quality;
    private final LongSupplier checkpointPauseMillis;

    /** @param checkpointPauseMillis how long the stream stood still for the last checkpoint */
    AssignMetrics(LocalTables tables, Supplier<Quality> quality, LongSupplier checkpointPauseMillis) {
        this.tables = tables;
        this.quality = quality;
        this.checkpointPauseMillis = checkpointPauseMillis;
    }

    void register(MetricGroup operator) {
        MetricGroup group = operator.addGroup(QualityMetrics.GROUP);
        // Rates exclude the edges of the checkpoint, which were not placed within the last minute.
        long edgesBefore = tables.placement().placedEdges();
        Gauge<Long> edgesSinceStart = () -> tables.placement().placedEdges() - edgesBefore;
        Gauge<Long> lookups = this::lookups;
        group.gauge("edges", (Gauge<Long>) () -> tables.placement().placedEdges());
        group.gauge("waitingEdges", (Gauge<Integer>) () -> tables.placement().heldCount());
        group.meter("edgesPerSecond", new MeterView(edgesSinceStart));
        group.gauge("lookups", lookups);
        group.meter("lookupsPerSecond", new MeterView(lookups));
        group.gauge("vertices", (Gauge<Long>) () -> quality.get().vertices());
        group.gauge("deadLetters", (Gauge<Long>) () -> quality.get().deadLetters());
        group.gauge("unknownRemovals", (Gauge<Long>) tables::unknownRemovals);
        group.gauge("refinedEdges", (Gauge<Long>) () -> tables.placement().refinedEdges());
        QualityMetrics.registerRatios(group, quality);
        group.gauge("cacheHitRate", (Gauge<Double>) this::cacheHitRate);
        group.gauge("cachedVertices", (Gauge<Integer>) () -> tables.vertices().size());
        group.gauge("dirtyVertices", (Gauge<Integer>) () -> tables.vertices().dirtyCount());
        group.gauge("cacheBytes", (Gauge<Long>) () -> tables.vertices().bytes());
        group.gauge(
                "storedBytesPerVertex", (Gauge<Double>) () -> tables.vertices().storedBytesPerVertex());
        group.gauge("checkpointPauseMillis", (Gauge<Long>) checkpointPauseMillis::getAsLong);
    }

    private long lookups() {
        VertexTable vertices = tables.vertices();
        return vertices.hits() + vertices.misses();
    }

    private double cacheHitRate() {
        long asked = lookups();
        return asked == 0 ? 1.0 : (double) tables.vertices().hits() / asked;
    }
}
