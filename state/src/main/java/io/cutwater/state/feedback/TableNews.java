package io.cutwater.state.feedback;

import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.table.RecordExchange;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a table tells each assigner that does not ask for it: which of its updates are applied, the vertices that others
 * have changed, questions about owners ({@link OwnerReleases}), and the loads of all ({@link AssignerLoads}).
 */
final class TableNews {
    private final BucketRange range;
    private final int assigners;
    private final long run;
    private final @Nullable OwnerReleases releases;
    private final @Nullable AssignerLoads loads; // in the table of bucket 0, if there are several assigners
    private final BitSet withoutVertices = new BitSet(); // assigners that have none in their caches
    private final BitSet buckets = new BitSet(); // whose updates are to be confirmed
    private final ChangedVertices changed = new ChangedVertices();
    private long[] records = new long[0];
    private final Views views = new Views();

    /** @param run of the table */
    TableNews(BucketRange range, int assigners, long run, @Nullable OwnerReleases releases) {
        this.range = range;
        this.assigners = assigners;
        this.run = run;
        this.releases = releases;
        loads = range.first() == 0 && assigners > 1 ? new AssignerLoads(assigners) : null;
        if (!range.keepsEdges() && range.isNew()) {
            withoutVertices.set(0, assigners);
        }
    }

    /** Tells an assigner of changed vertices from now on, because it has some in its cache. */
    void addReader(int assigner) {
        withoutVertices.clear(assigner);
    }

    /** Confirms the updates to a bucket with the next news. */
    void confirm(int bucket) {
        buckets.set(bucket);
    }

    /** Adds the vertices that an update of one of several assigners has changed. */
    void add(VertexBatch vertices, int assigner) {
        changed.add(vertices, assigner);
    }

    /** @param assigner that knows of the change already, or {@link ChangedVertices#NOBODY} */
    void add(long vertex, int assigner) {
        changed.add(vertex, assigner);
    }

    /** Returns how many vertices have changed since the last news. */
    int changedVertices() {
        return changed.size();
    }

    /** Takes down the loads of an assigner. */
    void addLoads(VertexUpdate update) {
        if (loads != null) {
            loads.tell(update.assigner(), Objects.requireNonNull(update.hints()));
        }
    }

    /**
     * Tells everything that is new.
     *
     * @param news receives at most one message for each assigner and must be done with it when it returns
     */
    void tell(Consumer<Views> news) {
        AssignerLoads dueLoads = loads != null && loads.areDue() ? loads : null;
        if (buckets.isEmpty() && dueLoads == null && (releases == null || !releases.areDue())) {
            return;
        }
        range.vertices().expect(changed.vertices(), changed.size());
        if (releases != null) {
            releases.readMoved();
        }
        readChanged();
        for (int assigner = 0; assigner < assigners; assigner++) {
            views.reset(Views.NEWS, assigner, range.first(), run, range.stride());
            range.confirm(buckets, views);
            addChanged(assigner);
            if (releases != null) {
                releases.tell(assigner, views);
            }
            if (dueLoads != null) {
                dueLoads.write(views);
            }
            if (views.size() > 0 || views.lineageCount() > 0 || !views.copies().isEmpty() || dueLoads != null) {
                news.accept(views);
            }
        }
        if (releases != null) {
            releases.told();
        }
        if (dueLoads != null) {
            dueLoads.told();
        }
        changed.clear();
        buckets.clear();
    }

    private void addChanged(int assigner) {
        int stride = range.stride();
        int told = withoutVertices.get(assigner) ? 0 : changed.size();
        for (int i = 0; i < told; i++) {
            if (changed.isNewTo(assigner, i)) {
                int at = views.addRecord();
                System.arraycopy(records, i * stride, views.records(), at, stride);
            }
        }
    }

    /** Reads the records of the changed vertices, which several assigners are told, unless none is. */
    private void readChanged() {
        if (withoutVertices.cardinality() == assigners) {
            return;
        }
        int size = changed.size();
        int stride = range.stride();
        if (records.length < size * stride) {
            records = new long[size * stride];
        }
        for (int i = 0; i < size; i++) {
            range.prefetch(changed.vertices(), i, size);
            long vertex = changed.vertices()[i];
            int slot = range.vertices().slot(vertex);
            RecordExchange.copy(range.vertices(), slot, records, i * stride);
            if (releases != null) {
                releases.hide(vertex, records, i * stride);
            }
            range.forgetIfEmpty(slot); // it may be gone
        }
    }
}
