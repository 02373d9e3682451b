package io.cutwater.deploy.faults.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A run as its seed determines it: the job, the size of its graph, and the faults in order.
 *
 * @param edges that are ingested; a tenth of them twice
 * @param removals how many of them are removed when all are committed
 * @param trains whether a coordinator and a worker train on the shards meanwhile
 * @param edgesPerSecond rate of ingest, which only paces the run
 */
public record RunPlan(
        long seed, JobShape job, int edges, int removals, boolean trains, int edgesPerSecond, List<Fault> faults) {
    private static final int MIN_EDGES = 10_000;
    private static final int MORE_EDGES = 10_000;
    private static final int EDGES_PER_SECOND = 1_500;
    private static final int MAX_FAULTS = 3;

    /** Milliseconds in which restored tasks get what those before them have left. */
    private static final int HAND_OVER_MILLIS = 2_000;

    private static final String TASK_MANAGER = "taskmanager-1";
    private static final String[] PROCESSES = {"broker", "jobmanager", TASK_MANAGER, "ingest"};

    public static RunPlan of(long seed, FaultChoice choice) {
        SplittableRandom random = new SplittableRandom(seed);
        JobShape job = choice.adapt(JobShape.of(random));
        int edges = MIN_EDGES + random.nextInt(MORE_EDGES);
        int removals = job.keepsEdges() && random.nextBoolean() ? edges / 4 : 0;
        List<Fault> faults = new ArrayList<>();
        int count = 1 + random.nextInt(MAX_FAULTS);
        if (job.keepsEdges() && choice.allows(FaultKind.REPARTITION) && random.nextBoolean()) {
            faults.add(repartition(random, job, trigger(random, job, edges, faults), faults));
        }
        for (int i = 0; i < count; i++) {
            faults.add(fault(random, choice, job, edges, faults));
            if (faults.get(faults.size() - 1).kind().destroysData()) {
                break;
            }
        }
        // After a lost offset, a removal of a lost edge cannot be told from one of an edge that was never there.
        boolean loses = faults.stream().anyMatch(fault -> fault.kind().destroysData());
        // Drawn last, so that what else a seed decides is the same with and without trainings.
        boolean trains = !loses && choice.trains(random);
        if (trains) {
            faults.add(onTraining(random, choice));
        }
        // Drawn from another generator, for the same reason. A vertex that comes again has no data to train on.
        SplittableRandom later = new SplittableRandom(seed + 4);
        if (job.keepsEdges() && !loses && !trains && later.nextBoolean()) {
            job = job.removingVertices();
            faults = withKilledHandOvers(later, choice, faults);
        }
        return new RunPlan(seed, job, edges, loses ? 0 : removals, trains, EDGES_PER_SECOND, List.copyOf(faults));
    }

    private static Fault fault(
            SplittableRandom random, FaultChoice choice, JobShape job, int edges, List<Fault> before) {
        FaultKind kind = choice.pick(random);
        Trigger trigger = trigger(random, job, edges, before);
        return switch (kind) {
            case KILL -> new Fault(kind, PROCESSES[random.nextInt(PROCESSES.length)], trigger, 0);
            case PAUSE -> new Fault(kind, PROCESSES[random.nextInt(PROCESSES.length)], trigger, choice.seconds(random));
            case CUT, STALL ->
                new Fault(kind, random.nextInt(3) == 0 ? "ingest" : "job", trigger, choice.seconds(random));
            case REPARTITION -> repartition(random, job, trigger, before);
            // Everything that is cut has been read: an edge that neither the job nor the broker has cannot be noticed.
            case TRUNCATE -> new Fault(kind, "", committed(edges), 10 + random.nextInt(60));
            case DELETE_RECORDS -> new Fault(kind, "", committed(1 + random.nextInt(edges / 2)), random.nextInt(60));
            case NO_CHECKPOINTS, FULL_DISK, FULL_BROKER_DISK -> new Fault(kind, "", trigger, choice.seconds(random));
            case CLOCK -> new Fault(kind, "", trigger, choice.step(random));
            default -> new Fault(kind, "", trigger, 0);
        };
    }

    /** Has the job resumed in other tasks at least once, and half of the times kills them while they take over. */
    private static List<Fault> withKilledHandOvers(SplittableRandom random, FaultChoice choice, List<Fault> faults) {
        List<Fault> more = new ArrayList<>();
        List<Fault> all = new ArrayList<>(faults);
        if (choice.allows(FaultKind.RESCALE) && faults.stream().noneMatch(fault -> fault.kind() == FaultKind.RESCALE)) {
            all.add(new Fault(FaultKind.RESCALE, "", new Trigger(Trigger.Kind.CHECKPOINTS, 1 + random.nextInt(3)), 0));
        }
        for (Fault fault : all) {
            more.add(fault);
            if (fault.kind() == FaultKind.RESCALE && choice.allows(FaultKind.KILL) && random.nextBoolean()) {
                Trigger trigger = new Trigger(Trigger.Kind.RESTORED, random.nextInt(HAND_OVER_MILLIS));
                more.add(new Fault(FaultKind.KILL, TASK_MANAGER, trigger, 0));
            }
        }
        return more;
    }

    private static Fault onTraining(SplittableRandom random, FaultChoice choice) {
        String target = random.nextBoolean() ? Fault.COORDINATOR : Fault.WORKER;
        Trigger trigger = new Trigger(Trigger.Kind.CHECKPOINTS, random.nextInt(4));
        return random.nextBoolean()
                ? new Fault(FaultKind.KILL, target, trigger, 0)
                : new Fault(FaultKind.PAUSE, target, trigger, choice.seconds(random));
    }

    /** Another number of partitions, once, for a job that keeps its edges; else a savepoint and resume. */
    private static Fault repartition(SplittableRandom random, JobShape job, Trigger trigger, List<Fault> before) {
        boolean repeats = before.stream().anyMatch(fault -> fault.kind() == FaultKind.REPARTITION);
        if (repeats || !job.keepsEdges()) {
            return new Fault(FaultKind.RESCALE, "", trigger, 0);
        }
        int change = random.nextBoolean() ? 1 + random.nextInt(4) : -1 - random.nextInt(2);
        return new Fault(FaultKind.REPARTITION, "", trigger, job.partitions() + change);
    }

    /** Never before the previous fault; at once, a few checkpoints later, or after a number of edges. */
    private static Trigger trigger(SplittableRandom random, JobShape job, int edges, List<Fault> before) {
        int kind = random.nextInt(before.isEmpty() ? 3 : 5);
        if (kind >= 3) {
            return new Trigger(Trigger.Kind.CHECKPOINTS, kind == 3 ? 0 : 1 + random.nextInt(3));
        }
        int latest = before.stream()
                .mapToInt(fault -> reached(fault.trigger()))
                .max()
                .orElse(0);
        int value = latest + 1 + random.nextInt(Math.max(1, edges * 9 / 10 - latest));
        boolean counts = kind != 0 && job.hasOneEdgePerRecord();
        if (kind == 2 && before.isEmpty()) {
            return new Trigger(Trigger.Kind.CHECKPOINTS, 1 + random.nextInt(6));
        }
        return new Trigger(counts ? Trigger.Kind.INGESTED : Trigger.Kind.COMMITTED, value);
    }

    private static Trigger committed(int edges) {
        return new Trigger(Trigger.Kind.COMMITTED, edges);
    }

    private static int reached(Trigger trigger) {
        return trigger.kind() == Trigger.Kind.CHECKPOINTS ? 0 : trigger.value();
    }

    public boolean destroysData() {
        return faults.stream().anyMatch(fault -> fault.kind().destroysData());
    }

    @Override
    public String toString() {
        return "seed %d | %s%s | %s | %,d edges, %,d removed"
                .formatted(seed, job, trains ? ", trained on" : "", faultsText(), edges, removals);
    }

    public String faultsText() {
        return String.join("; ", faults.stream().map(Fault::toString).toList());
    }
}
