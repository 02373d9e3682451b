package io.cutwater.state.feedback;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The channels between the tasks of an attempt: queues of lookups, batches, views, barriers and ends. */
final class SimulatedChannels {
    static final Object BARRIER = new Object();
    static final Object END = new Object();

    final List<Deque<Object>> toTable = new ArrayList<>();

    /** The queues of each assigner: its batches, then the answers of each table. */
    final List<List<Deque<Object>>> toAssigner = new ArrayList<>();

    SimulatedChannels(int tables, int assigners) {
        for (int t = 0; t < tables; t++) {
            toTable.add(new ArrayDeque<>());
        }
        for (int a = 0; a < assigners; a++) {
            List<Deque<Object>> inputs = new ArrayList<>();
            for (int input = 0; input <= tables; input++) {
                inputs.add(new ArrayDeque<>());
            }
            toAssigner.add(inputs);
        }
    }

    /** Sends the same to all tables, and to all assigners beside their batches. */
    void fromSource(Object element) {
        toTable.forEach(channel -> channel.add(element));
        toAssigner.forEach(inputs -> inputs.get(0).add(element));
    }

    void ask(int table, Lookup lookup) {
        toTable.get(table).add(copy(lookup));
    }

    void answer(int table, Views views) {
        toAssigner.get(views.assigner()).get(1 + table).add(copy(views));
    }

    private static Lookup copy(Lookup lookup) {
        Lookup copy = new Lookup().reset(lookup.number(), lookup.assigner(), lookup.pass(), lookup.bucket());
        for (int i = 0; i < lookup.counted(); i++) {
            copy.count(lookup.vertex(i), lookup.count(i));
        }
        for (int i = lookup.counted(); i < lookup.size(); i++) {
            copy.add(lookup.vertex(i), lookup.count(i));
        }
        copy.removals().addAll(lookup.removals());
        return copy;
    }

    static Views copy(Views views) {
        Views copy = new Views()
                .reset(views.number(), views.assigner(), views.bucket(), views.run(), views.stride())
                .setHandover(views.handover())
                .setLoads(views.loads());
        for (int i = 0; i < views.lineageCount(); i++) {
            copy.confirm(views.confirmedBucket(i), views.lineage(i), views.confirmed(i));
        }
        for (int i = 0; i < views.size(); i++) {
            int at = copy.addRecord();
            System.arraycopy(views.records(), i * views.stride(), copy.records(), at, views.stride());
        }
        copy.copies().addAll(views.copies());
        return copy;
    }
}
