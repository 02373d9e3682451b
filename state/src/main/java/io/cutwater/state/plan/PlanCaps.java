package io.cutwater.state.plan;

import java.util.Arrays;

/** The limits of one partition: vertices, volume, training vertices. */
record PlanCaps(long size, long volume, long training) {

    static PlanCaps of(PlanRequest request) {
        return new PlanCaps(request.maxSize(), request.maxVolume(), request.maxTraining());
    }

    /** Returns these limits for each of k partitions. */
    PlanCaps[] forAll(int partitionCount) {
        PlanCaps[] caps = new PlanCaps[partitionCount];
        Arrays.fill(caps, this);
        return caps;
    }

    /** A part of each, but at least 1. */
    PlanCaps over(int parts) {
        return new PlanCaps(Math.max(1, size / parts), Math.max(1, volume / parts), Math.max(1, training / parts));
    }
}
