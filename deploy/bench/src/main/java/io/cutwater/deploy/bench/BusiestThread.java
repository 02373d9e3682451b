package io.cutwater.deploy.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Samples the CPU time of threads since this object was created, so that a thread counts after it has ended. The
 * busiest thread is one of those that began since.
 */
final class BusiestThread {
    private static final double NANOS = 1e9;
    private static final int MAX_NAME = 60;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Map<Long, Long> before = new HashMap<>();
    private final Map<Long, Long> latest = new HashMap<>();
    private final Map<Long, String> names = new HashMap<>();

    BusiestThread() {
        for (long id : threads.getAllThreadIds()) {
            before.put(id, threads.getThreadCpuTime(id));
        }
    }

    void sample() {
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null) {
                long id = thread.getThreadId();
                latest.merge(id, threads.getThreadCpuTime(id) - before.getOrDefault(id, 0L), Math::max);
                names.put(id, thread.getThreadName());
            }
        }
    }

    private long busiest() {
        long busiest = -1;
        for (long id : latest.keySet()) {
            if (before.containsKey(id)) {
                continue;
            }
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

    /** Returns the CPU time of the busiest thread, of those too that began earlier. */
    double mostSeconds() {
        return latest.values().stream().mapToLong(Long::longValue).max().orElse(0) / NANOS;
    }

    /** Returns the CPU time of this process since its start. */
    static double processSeconds() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / NANOS;
    }

    /**
     * Returns the CPU time by what the threads do, also those that began earlier: the threads of all tasks of an
     * operator chain are one. The rest of the process is the virtual machine: compiler and garbage collection.
     *
     * @param processSeconds CPU time of the process in the same time
     */
    Map<String, Double> seconds(double processSeconds) {
        Map<String, Double> seconds = new TreeMap<>();
        double rest = processSeconds;
        for (long id : latest.keySet()) {
            double own = nanos(id) / NANOS;
            seconds.merge(work(names.getOrDefault(id, "")), own, Double::sum);
            rest -= own;
        }
        seconds.put("virtual machine", rest);
        return seconds;
    }

    /** Returns what a thread does: its name without the numbers of task, attempt and client, at most 60 characters. */
    static String work(String thread) {
        String name = thread.replaceAll(" \\(\\d+/\\d+\\)#\\d+.*", "")
                .replaceAll(" \\| .*", "")
                .replaceAll("[-.]?\\d+", "");
        return name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME) + "…";
    }

    String name() {
        return names.getOrDefault(busiest(), "");
    }
}
