package io.cutwater.state.plan;

import java.util.Arrays;

/** The limits of one partition: vertices, volume, training vertices. */
record PlanCaps(long size, long volume, long training) {

    static PlanCaps of(PlanRequest request) {
        return new PlanCaps(request.maxSize(), request.maxVolume(), request.maxTraining());
    }

    /** Returns the limits of each of the k partitions. */
    static PlanCaps[] all(PlanRequest request) {
        PlanCaps[] caps = new PlanCaps[request.partitionCount()];
        Arrays.fill(caps, of(request));
        PlanRooms rooms = request.rooms();
        for (int p = 0; rooms != null && p < caps.length; p++) {
            caps[p] = new PlanCaps(rooms.sizes()[p], rooms.volumes()[p], request.maxTraining());
        }
        return caps;
    }

    /** The mean limits of some. */
    static PlanCaps mean(PlanCaps[] caps) {
        long size = 0;
        long volume = 0;
        for (PlanCaps cap : caps) {
            size += cap.size;
            volume += cap.volume;
        }
        return new PlanCaps(size / caps.length, volume / caps.length, caps[0].training);
    }

    /** A part of each, but at least 1. */
    PlanCaps over(int parts) {
        return new PlanCaps(Math.max(1, size / parts), Math.max(1, volume / parts), Math.max(1, training / parts));
    }
}
