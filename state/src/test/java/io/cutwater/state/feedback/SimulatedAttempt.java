package io.cutwater.state.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.feedback.ask.LookupMaker;
import io.cutwater.state.graph.EdgeBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One life of the job of a {@link LoopSimulation}: its source, its tasks, and the order of what happens. */
final class SimulatedAttempt {
    private final LoopSimulation simulation;
    private final EdgeBatch graph;
    private final SplittableRandom random;
    private final SimulatedChannels channels;
    private final List<LookupMaker> askers = new ArrayList<>();
    private final int preparationPasses;
    private int nextBatch;
    private int pass;
    private boolean isAskerEnded;
    private int asked;
    private int patience = 200; // a step each of which is one of some thousand

    final SimulatedTables tables;
    final SimulatedAssigners assigners;

    SimulatedAttempt(LoopSimulation simulation, int assignerCount, int tableCount) {
        this.simulation = simulation;
        graph = simulation.graph;
        random = simulation.random;
        preparationPasses = simulation.preparationPasses;
        channels = new SimulatedChannels(tableCount, assignerCount);
        boolean writesBack = simulation.writesBack;
        int placingPass = writesBack ? 0 : preparationPasses;
        boolean isOne = preparationPasses > 0 || random.nextBoolean() && !simulation.sharesEdges();
        int askerCount = isOne ? 1 : assignerCount;
        int cached = random.nextInt(1, 60);
        for (int i = 0; i < askerCount; i++) {
            int own = assignerCount / askerCount;
            askers.add(new LookupMaker(
                    simulation.buckets,
                    tableCount,
                    i * own,
                    own,
                    placingPass,
                    cached,
                    !writesBack && !simulation.keepsEdges,
                    simulation.tellsSlots(),
                    random.nextLong()));
        }
        nextBatch = simulation.last.nextBatch;
        pass = simulation.last.pass;
        tables = new SimulatedTables(simulation, channels, assignerCount);
        assigners = new SimulatedAssigners(simulation, channels);
        tables.greet();
    }

    /** Returns false if it has crashed after a number of steps. */
    boolean run(int lifetime) {
        long steps = 0;
        while (!tables.areEnded()) {
            if (++steps > lifetime) {
                return false;
            }
            step();
            simulation.completeCheckpoint(assigners.partitions());
        }
        assertThat(steps).isPositive();
        return true;
    }

    private void step() {
        int tasks = assigners.count() + tables.count();
        int what = random.nextInt(4 + 2 * tasks);
        if (what == 0) {
            // Moves need several rounds of the loop before the input ends.
            if (!simulation.moves() || random.nextInt(60) == 0) {
                ask();
            }
        } else if (what == 1 && simulation.trouble.crashes() > 0 && random.nextInt(4) == 0) {
            startCheckpoint();
        } else if (what < 4 + tasks) {
            int task = random.nextInt(tasks);
            if (task < assigners.count()) {
                assigners.step(task);
            } else {
                tables.step(task - assigners.count());
            }
        } else if (simulation.moves() && random.nextInt(4) == 0) {
            assigners.move();
        } else if (random.nextInt(1 + simulation.trouble.loopDelay()) == 0) {
            assigners.send(random.nextInt(assigners.count()));
            tables.receive(random.nextInt(tables.count()));
            tables.tellNews(random.nextInt(tables.count()));
        }
    }

    private void ask() {
        if (isAskerEnded || asked - assigners.placed() >= simulation.trouble.inFlight()) {
            return;
        }
        int batchSize = simulation.batchSize;
        int from = nextBatch * batchSize;
        if (from >= graph.size() && pass < preparationPasses) {
            pass++;
            nextBatch = 0;
            from = 0;
        }
        if (from >= graph.size() && simulation.movesOwners() && patience-- > 0) {
            assigners.stopMoves(); // a live job does not end: the tables move nothing any more when its input does
            return;
        }
        if (from >= graph.size()) {
            isAskerEnded = true;
            flush();
            channels.fromSource(SimulatedChannels.END);
            return;
        }
        EdgeBatch batch = new EdgeBatch(batchSize).setPass(pass);
        for (int i = from; i < Math.min(graph.size(), from + batchSize); i++) {
            batch.add(graph.source(i), graph.target(i), Double.NaN, i, graph.key(i));
            if (graph.isRemoval(i)) {
                batch.setRemoval(batch.size() - 1);
            }
        }
        nextBatch++;
        if (!simulation.sharesEdges()) {
            ask(batch, askers.get(random.nextInt(askers.size())));
            return;
        }
        for (int a = 0; a < assigners.count(); a++) {
            EdgeBatch own = new EdgeBatch(batchSize);
            for (int i = 0; i < batch.size(); i++) {
                if (assigners.hasSource(a, batch.source(i))) {
                    own.addFrom(batch, i);
                }
            }
            if (!own.isEmpty()) {
                ask(own, askers.get(a));
            }
        }
    }

    private void ask(EdgeBatch batch, LookupMaker asker) {
        asked++;
        NumberedBatch numbered = asker.ask(batch, this::send);
        channels.toAssigner.get(numbered.assigner()).get(0).add(numbered);
    }

    private void send(Lookup lookup) {
        channels.ask(tables.table(lookup.bucket()), lookup);
    }

    private void flush() {
        askers.forEach(asker -> asker.flush(this::send));
    }

    private void startCheckpoint() {
        if (simulation.hasPending() || isAskerEnded) {
            return;
        }
        SimulatedCheckpoint checkpoint = new SimulatedCheckpoint(simulation.buckets);
        checkpoint.writesBack = simulation.writesBack;
        checkpoint.nextBatch = nextBatch;
        checkpoint.pass = pass;
        checkpoint.tablesLeft = tables.count();
        checkpoint.assignersLeft = assigners.count();
        simulation.start(checkpoint);
        flush();
        channels.fromSource(SimulatedChannels.BARRIER);
    }
}
