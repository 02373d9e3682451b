package io.cutwater.state.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.graph.Place;
import io.cutwater.state.graph.VertexBatch;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import io.cutwater.state.repartition.Moves;
import io.cutwater.state.repartition.RepartitionPlan;
import io.cutwater.state.repartition.live.PlanWork;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A table's part of a plan that is made at random: some of the collected edges move, most of them from where they are.
 */
final class SimulatedPlan implements PlanWork {
    private final SplittableRandom random;
    private final int before;
    private final int partitions;
    private final EdgeBatch planned = new EdgeBatch();
    private boolean isPlanning;
    private boolean hasOwners;
    private boolean hasEdgesWithoutPlaces;
    private int polls;

    SimulatedPlan(SplittableRandom random, int before, int partitions) {
        this.before = before;
        this.random = random;
        this.partitions = partitions;
        polls = random.nextInt(4);
    }

    @Override
    public boolean takesMore() {
        return random.nextInt(4) > 0;
    }

    @Override
    public void add(EdgeBatch edges) {
        for (int i = 0; i < edges.size(); i++) {
            if (edges.place(i) == EdgeBatch.NO_PLACE) {
                hasEdgesWithoutPlaces = true;
                continue;
            }
            int from = Place.ofSource(edges.place(i));
            assertThat(from).isBetween(0, before - 1);
            plan(edges.source(i), edges.target(i), from);
        }
    }

    @Override
    public void own(VertexBatch vertices) {
        hasOwners = true;
        for (int i = 0; i < vertices.size(); i++) {
            assertThat(vertices.master(i)).isBetween(0, before - 1);
            plan(vertices.vertex(i), vertices.vertex(i), vertices.master(i));
        }
    }

    private void plan(long source, long target, int from) {
        if (from >= partitions || random.nextInt(3) > 0) {
            // Some are elsewhere by now, or never were.
            int at = random.nextInt(20) == 0 ? random.nextInt(before) : from;
            planned.add(source, target);
            planned.setPlace(planned.size() - 1, Place.of(at, random.nextInt(partitions)));
        }
    }

    @Override
    public void plan() {
        assertThat(hasOwners || !hasEdgesWithoutPlaces).isTrue();
        isPlanning = true;
    }

    @Override
    public @Nullable RepartitionPlan result() {
        if (!isPlanning || polls-- > 0) {
            return null;
        }
        List<PartitionQuality> perPartition = new ArrayList<>();
        for (int p = 0; p < partitions; p++) {
            perPartition.add(new PartitionQuality(p, p, 2L * p));
        }
        Quality quality = Quality.ofEdges(partitions, 7, 5, 0, perPartition);
        return new RepartitionPlan(1_000_000_000, planned.size(), planned.size(), quality, quality);
    }

    @Override
    public Moves moves() {
        return Moves.of(planned);
    }

    @Override
    public void close() {}
}
