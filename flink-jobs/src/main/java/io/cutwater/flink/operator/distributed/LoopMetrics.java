package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.operator.assigner.QualityMetrics;
import io.cutwater.state.feedback.BucketTable;
import io.cutwater.state.feedback.ViewJoin;
import io.cutwater.state.feedback.ask.AskWindow;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.table.VertexTable;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MeterView;
import org.apache.flink.metrics.MetricGroup;

/**
 * Metrics of the tasks of the distributed topology, in the group {@value QualityMetrics#GROUP};
 * {@code deploy/docs/reference/metrics.md} lists names and units. Each name belongs to one operator only, so that its
 * sum over all tasks is meaningful. Reporter threads read them without a lock, so a value may be slightly out of date.
 */
final class LoopMetrics {
    private final MetricGroup group;

    LoopMetrics(MetricGroup operator) {
        group = operator.addGroup(QualityMetrics.GROUP);
    }

    /** Registers the metrics of the operator that asks for views. */
    void register(AskWindow window) {
        group.gauge("staleEdges", (Gauge<Long>) window::inFlight);
    }

    /**
     * Registers the metrics of a vertex table.
     *
     * @param lagMillis age of the updates that were applied last
     * @param lagRecords number of records on the topic that are not applied yet
     */
    void register(
            VertexTable vertices,
            BucketTable table,
            UpdateSource.Reader updates,
            LongSupplier lagMillis,
            LongSupplier lagRecords,
            LongSupplier checkpointPauseMillis) {
        Gauge<Long> lookups = table::lookups;
        group.gauge("lookups", lookups);
        group.meter("lookupsPerSecond", new MeterView(lookups));
        group.gauge("cacheHitRate", (Gauge<Double>) table::hitRate);
        group.gauge("cachedVertices", (Gauge<Integer>) vertices::size);
        group.gauge("dirtyVertices", (Gauge<Integer>) vertices::dirtyCount);
        group.gauge("cacheBytes", (Gauge<Long>) vertices::bytes);
        group.gauge("storedBytesPerVertex", (Gauge<Double>) vertices::storedBytesPerVertex);
        group.gauge("checkpointPauseMillis", (Gauge<Long>) checkpointPauseMillis::getAsLong);
        group.gauge("createdVertices", (Gauge<Long>) vertices::vertexCount);
        group.gauge("appliedUpdates", (Gauge<Long>) table::applied);
        group.gauge("duplicateUpdates", (Gauge<Long>) table::duplicates);
        group.gauge("staleUpdates", (Gauge<Long>) table::stale);
        group.gauge("malformedUpdates", (Gauge<Long>) updates::malformed);
        group.gauge("loopLagMillis", (Gauge<Long>) lagMillis::getAsLong);
        group.gauge("loopLagRecords", (Gauge<Long>) lagRecords::getAsLong);
    }

    /** Registers the metrics of an assigner. */
    void register(
            LongSupplier placedEdges, LongSupplier refinedEdges, ViewJoin join, LongSupplier oldestUnconfirmedMillis) {
        // The rate excludes the edges of the checkpoint, which were not placed within the last minute.
        long edgesBefore = placedEdges.getAsLong();
        Gauge<Long> edgesSinceStart = () -> placedEdges.getAsLong() - edgesBefore;
        group.gauge("edges", (Gauge<Long>) placedEdges::getAsLong);
        group.meter("edgesPerSecond", new MeterView(edgesSinceStart));
        group.gauge("refinedEdges", (Gauge<Long>) refinedEdges::getAsLong);
        group.gauge("waitingBatches", (Gauge<Integer>) join::waitingBatches);
        group.gauge("unconfirmedUpdates", (Gauge<Long>) join::unconfirmedUpdates);
        group.gauge("oldestUnconfirmedMillis", (Gauge<Long>) oldestUnconfirmedMillis::getAsLong);
        group.gauge("overlayVertices", (Gauge<Integer>) join::overlayVertices);
    }

    /** Registers the metrics of the operator that sums the quality. */
    void register(Supplier<Quality> last, LongSupplier unknownRemovals) {
        group.gauge("vertices", (Gauge<Long>) () -> last.get().vertices());
        group.gauge("deadLetters", (Gauge<Long>) () -> last.get().deadLetters());
        group.gauge("unknownRemovals", (Gauge<Long>) unknownRemovals::getAsLong);
        QualityMetrics.registerRatios(group, last);
    }
}
