package io.cutwater.deploy.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Samples the CPU time of threads that began since this object was created, so that a thread counts after it has ended.
 */
final class BusiestThread {
    private static final double NANOS = 1e9;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Set<Long> before = new HashSet<>();
    private final Map<Long, Long> latest = new HashMap<>();
    private final Map<Long, String> names = new HashMap<>();

    BusiestThread() {
        for (long id : threads.getAllThreadIds()) {
            before.add(id);
        }
    }

    void sample() {
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && !before.contains(thread.getThreadId())) {
                long id = thread.getThreadId();
                latest.merge(id, threads.getThreadCpuTime(id), Math::max);
                names.put(id, thread.getThreadName());
            }
        }
    }

    private long busiest() {
        long busiest = -1;
        for (long id : latest.keySet()) {
            if (busiest < 0 || nanos(id) > nanos(busiest)) {
                busiest = id;
            }
        }
        return busiest;
    }

    private long nanos(long id) {
        return latest.getOrDefault(id, 0L);
    }

    double seconds() {
        long id = busiest();
        return id < 0 ? 0 : nanos(id) / NANOS;
    }

    String name() {
        return names.getOrDefault(busiest(), "");
    }
}
