package io.cutwater.trainer.sync;

import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.Traffic;

/** Counts what the mini-batches of a shard read from others. Thread-safe. */
final class WorkCounters {
    private Traffic traffic = Traffic.NONE;
    private Locality locality = Locality.NONE;

    synchronized void add(Traffic more, Locality of) {
        traffic = traffic.plus(more);
        locality = locality.plus(of);
    }

    /** Returns the bytes since the last call. */
    synchronized Traffic takeTraffic() {
        Traffic taken = traffic;
        traffic = Traffic.NONE;
        return taken;
    }

    /** Returns the counts since the last call. */
    synchronized Locality takeLocality() {
        Locality taken = locality;
        locality = Locality.NONE;
        return taken;
    }
}
