package io.cutwater.flink.operator.distributed;

import io.cutwater.flink.operator.assigner.AssignOptions;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.joint.JointPartitioner;
import io.cutwater.state.joint.JointVertexRule;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.rule.BufferedPartitioner;
import io.cutwater.state.rule.EdgePartitioner;
import java.io.Serializable;
import org.apache.flink.api.common.TaskInfo;

/**
 * Numbers of tasks and buckets of the distributed topology.
 *
 * @param buckets key groups of the vertex tables
 * @param tables parallelism of the vertex tables, P
 * @param assigners parallelism of the assigners, A; with 1 the result is a pure function of the order of the input
 */
public record SpreadOptions(int buckets, int tables, int assigners) implements Serializable {
    /** Default number of key groups. */
    public static final int DEFAULT_BUCKETS = 128;

    /**
     * Checks the number of tasks of an operator when a task starts, because lookups and answers depend on it.
     *
     * @throws IllegalStateException if the cluster runs another number of tasks than requested
     */
    static void requireTasks(String what, int wanted, TaskInfo task) {
        if (task.getNumberOfParallelSubtasks() != wanted) {
            throw new IllegalStateException(
                    ("there are %d tasks of %s where %d were asked for; the cluster must not change the parallelism by itself:"
                                    + " set jobmanager.scheduler: default, and have slots for all")
                            .formatted(task.getNumberOfParallelSubtasks(), what, wanted));
        }
    }

    /**
     * Returns the number of tasks that ask for views. Preparation passes that the tables count must each end before the
     * next begins, so one task asks for them.
     */
    public int askers(AssignOptions options) {
        return placingPass(options) > 0 ? 1 : assigners;
    }

    /**
     * Returns whether the one assigner writes whole records back to the tables, which count nothing then: for a rule
     * that changes more of a vertex than its replicas and its degree, and if edges are kept, whose removal takes
     * replicas away. Several assigners send new replicas and hints, and propose owners; the last hints that a table
     * gets count, and the first owner. If they keep edges, the tables count these, and replicas follow from the counts.
     */
    boolean writesBack(AssignOptions options) {
        return Algorithms.of(options.partitioner()).needsOneAssigner(options.partitioner())
                || assigners == 1 && storesDependOnAssigners(options);
    }

    /** Returns whether several assigners keep edges, so that the tables count these. */
    boolean sharesEdges(AssignOptions options) {
        return assigners > 1 && options.keepsEdges();
    }

    /**
     * Returns whether the tables first get what earlier attempts have left when an attempt starts: of an edge or vertex
     * that another assigner has now, or in another form than this attempt's.
     */
    boolean catchesUp(AssignOptions options) {
        return writesBack(options) || storesDependOnAssigners(options);
    }

    /**
     * Returns what each end of an edge that was buffered adds to a degree in the tables when one assigner goes on with
     * what several have left, or the other way round. One counts an edge of an edge partitioning when it comes, one of
     * a vertex partitioning when it is placed; the tables of several count those that they keep when these are placed,
     * and others when they come. The only assigner takes buffered edges of others like new ones.
     *
     * @param wasOneTask whether they are those of a job of one task, which counts as one assigner does
     */
    int degreeChange(AssignOptions options, boolean wasOneTask) {
        if (assigners == 1 && wasOneTask) {
            return options.kind().hasOwners() ? 0 : -1;
        }
        if (assigners == 1) {
            return options.keepsEdges() ? 0 : -1;
        }
        return options.keepsEdges() == options.kind().hasOwners() ? 0 : options.keepsEdges() ? -1 : 1;
    }

    /** Returns whether one assigner and several write different things to the tables. */
    static boolean storesDependOnAssigners(AssignOptions options) {
        return options.keepsEdges() || hasHints(options);
    }

    /** Returns whether the rule changes more of a vertex than its replicas and its degree. */
    static boolean hasHints(AssignOptions options) {
        return Algorithms.of(options.partitioner()).changesMoreThanReplicas(options.partitioner());
    }

    /**
     * Returns whether batches tell their assigner in which slots of its cache the ends of their edges are: the rule
     * uses the slots of an edge once and at once, and a vertex leaves the cache with a batch, and not when its last
     * edge is removed or no edge waits at it.
     */
    boolean tellsSlots(AssignOptions options) {
        if (options.keepsEdges() || options.kind().hasOwners()) {
            return false;
        }
        EdgePartitioner rule = Algorithms.edgePartitioner(options.partitioner());
        return !(rule instanceof BufferedPartitioner) && !(rule instanceof JointPartitioner);
    }

    /** Returns how many edges the first of several assigners places before the others begin; 0 if one task asks. */
    public long soloEdges(AssignOptions options) {
        PartitionerOptions partitioner = options.partitioner();
        // An edge that is kept has its assigner from the beginning.
        return askers(options) == 1 || options.keepsEdges()
                ? 0
                : Algorithms.of(partitioner).streamRule(partitioner).soloEdges();
    }

    /** See {@link EdgePartitioner#shareOfRuns}; also 0 for one assigner, or with kept edges. */
    double shareOfRuns(AssignOptions options) {
        PartitionerOptions partitioner = options.partitioner();
        return assigners > 1
                        && !options.keepsEdges()
                        && Algorithms.of(partitioner).streamRule(partitioner) instanceof EdgePartitioner rule
                ? rule.shareOfRuns()
                : 0;
    }

    /**
     * Returns how many edges of the input an assigner gets before the next one has its turn, at most: edges that follow
     * each other belong together, so the same assigner should have many of them. More would let the others wait,
     * because channels have room for few batches. In a vertex partitioning without a buffer more than a batch brings
     * nothing.
     */
    public int edgesInTurn(AssignOptions options) {
        PartitionerOptions partitioner = options.partitioner();
        boolean isByBatch = options.kind().hasOwners()
                && !(Algorithms.of(partitioner).streamRule(partitioner) instanceof JointVertexRule owners
                        && owners.bufferSize() > 0);
        return isByBatch ? 1 : 4 * EdgeBatch.DEFAULT_CAPACITY;
    }

    /** @throws IllegalArgumentException if there are several assigners and the options need one */
    void requireAssignersFor(AssignOptions options) {
        if (assigners > 1 && writesBack(options)) {
            throw new IllegalArgumentException("%s needs one assigner, but there are %d"
                    .formatted(options.partitioner().algorithm(), assigners));
        }
    }

    /** Returns the first pass whose batches go to assigners; the tables count the edges of earlier ones. */
    int placingPass(AssignOptions options) {
        return writesBack(options) || options.kind().hasOwners()
                ? 0
                : Algorithms.edgePartitioner(options.partitioner()).preparationPasses();
    }

    public SpreadOptions {
        if (tables < 1 || assigners < 1) {
            throw new IllegalArgumentException(
                    "--parallelism and --assigners must be at least 1: %d and %d".formatted(tables, assigners));
        }
        if (tables > buckets) {
            throw new IllegalArgumentException(
                    "--parallelism %d is more than the %d key groups of the state; give at most %d"
                            .formatted(tables, buckets, buckets));
        }
    }
}
