package io.cutwater.trainer.sync;

import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.Traffic;

/** Counts what the mini-batches of a shard read from others. Thread-safe. */
public final class WorkCounters {
    private Traffic traffic = Traffic.NONE;
    private Locality locality = Locality.NONE;

    /** Adds what a mini-batch has read. */
    public synchronized void add(Traffic more, Locality of) {
        traffic = traffic.plus(more);
        locality = locality.plus(of);
    }

    /** Returns the bytes since the last call. */
    public synchronized Traffic takeTraffic() {
        Traffic taken = traffic;
        traffic = Traffic.NONE;
        return taken;
    }

    /** Returns the counts since the last call. */
    public synchronized Locality takeLocality() {
        Locality taken = locality;
        locality = Locality.NONE;
        return taken;
    }
}
