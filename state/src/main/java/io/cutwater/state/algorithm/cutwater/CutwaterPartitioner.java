package io.cutwater.state.algorithm.cutwater;

import io.cutwater.state.algorithm.hdrf.HdrfPartitioner;
import io.cutwater.state.cluster.Homes;
import io.cutwater.state.partition.NumericSetting;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.Settings;
import io.cutwater.state.rule.BufferedPartitioner;
import io.cutwater.state.rule.RunningCap;
import io.cutwater.state.table.PartitionLoads;
import io.cutwater.state.table.VertexColumns;
import io.cutwater.state.table.VertexLayout;
import java.util.List;

/**
 * Hold and home: one pass, for ever. Each vertex has a home, one partition that it is drawn to and that moves to where
 * its neighbours' homes are; and an edge of which nothing is known yet waits until something is. Our own rule; there is
 * no paper.
 *
 * <ol>
 *   <li><b>Learn.</b> When an edge (u, v) comes, and again when it is released, the home of each end, if it has one, is
 *       counted at the other ({@link VertexColumns#countNeighbourHome}: older counts decay, four partitions are kept);
 *       then both ends reconsider their homes ({@link Homes#reconsider}). A home is a hint: nothing is stored there.
 *   <li><b>Hold.</b> While neither end has a replica, the edge waits, see {@link BufferedPartitioner}. An edge that has
 *       waited in vain gets a seed if neither end has a home: the end of higher degree, the source on ties, has its
 *       home on the least loaded partition. Otherwise it learns once more.
 *   <li><b>Place.</b> The partition p below the cap with the largest
 *       <pre>
 *   g(u, p) + g(v, p) + b(u, p) + b(v, p) + λ · (max − edges(p)) / (1 + room + max − min)
 *   g(x, p) = g(x) if p holds x, else 0          g(x) = 2 − d(x) / (d(u) + d(v))
 *   b(x, p) = pull · g(x) if p is x's home, else 0
 *   cap of {@link RunningCap}          room = imbalance · placed / k + 32
 *       </pre>
 *       the lowest of them on ties. A vertex without a home has it there from now on.
 * </ol>
 *
 * <p>This is HDRF's score ({@link HdrfPartitioner}) with the pull of home, and with a softer balance: as long as the
 * loads differ by less than the cap allows, balance weighs little.
 *
 * <p>At most six partitions are scored, yet the answer is that of scoring all k: the least loaded of those that hold
 * both ends, the source only, the target only; the least loaded of all; the two homes. The argument is that of
 * {@link HdrfPartitioner}, and a home is the only partition of its class with another gain.
 */
public final class CutwaterPartitioner implements BufferedPartitioner {
    public static final NumericSetting LAMBDA = Settings.LAMBDA;

    /** Weight of an endpoint's home, where a replica weighs 1. */
    public static final NumericSetting PULL = new NumericSetting(
            "pull", "gain of a partition that is an endpoint's home, as a share of that of a replica", 0.3, 0, 1e3);

    public static final NumericSetting WINDOW = Settings.WINDOW;

    public static final NumericSetting IMBALANCE = Settings.IMBALANCE;

    /** Several assigners that begin together each send a community to another partition. */
    public static final NumericSetting SOLO = Settings.SOLO;

    private static final int ROOM_SLACK = 32;

    /** Replicas of a partition over the average, as a share of it, up to which it takes edges that move. */
    private static final double REPLICA_IMBALANCE = 0.3;

    private static final long NONE = Long.MAX_VALUE;

    private final double lambda;
    private final double pull;
    private final int windowSize;
    private final double imbalance;
    private final long soloEdges;
    private final Homes homes;
    private final Choice choice = new Choice();

    public CutwaterPartitioner(PartitionerOptions options) {
        this(options, new Homes(options.partitionCount()));
    }

    /** @param homes to keep; no other rule changes them */
    CutwaterPartitioner(PartitionerOptions options, Homes homes) {
        lambda = LAMBDA.of(options);
        pull = PULL.of(options);
        windowSize = (int) WINDOW.wholeOf(options);
        imbalance = IMBALANCE.of(options);
        soloEdges = SOLO.wholeOf(options);
        this.homes = homes;
    }

    @Override
    public VertexLayout layout(int partitionCount) {
        return new VertexLayout(partitionCount, false).withHomes();
    }

    @Override
    public int windowSize() {
        return windowSize;
    }

    @Override
    public long soloEdges() {
        return soloEdges;
    }

    /** With 1 % communities would leave their partitions early: 4 assigners then need 9 % more replicas. */
    @Override
    public double shareOfRuns() {
        return 0.0025;
    }

    @Override
    public void learn(VertexColumns vertices, int source, int target) {
        int sourceHome = vertices.home(source);
        int targetHome = vertices.home(target);
        if (source == target || sourceHome == VertexColumns.NO_HOME && targetHome == VertexColumns.NO_HOME) {
            return;
        }
        if (targetHome != VertexColumns.NO_HOME) {
            vertices.countNeighbourHome(source, targetHome);
        }
        if (sourceHome != VertexColumns.NO_HOME) {
            vertices.countNeighbourHome(target, sourceHome);
        }
        homes.reconsider(vertices, source);
        homes.reconsider(vertices, target);
    }

    @Override
    public void giveUpWaiting(VertexColumns vertices, int source, int target, PartitionLoads loads) {
        if (vertices.home(source) == VertexColumns.NO_HOME && vertices.home(target) == VertexColumns.NO_HOME) {
            int higher = vertices.degree(source) >= vertices.degree(target) ? source : target;
            homes.move(vertices, higher, loads.emptiest());
        } else {
            learn(vertices, source, target);
        }
    }

    @Override
    public int place(VertexColumns vertices, int source, int target, PartitionLoads loads) {
        int partition = best(vertices, source, target, loads);
        settle(vertices, source, target, partition);
        return partition;
    }

    /**
     * An edge that was placed with the whole graph in view says more of its ends' homes than what is known of them
     * here: its partition is counted at both, instead of their homes at each other.
     */
    @Override
    public void recorded(VertexColumns vertices, int source, int target, int partition) {
        if (source != target) {
            vertices.countNeighbourHome(source, partition);
            vertices.countNeighbourHome(target, partition);
            homes.reconsider(vertices, source);
            homes.reconsider(vertices, target);
        }
        settle(vertices, source, target, partition);
    }

    /** Records the edge as placed there, since it moves by a plan for the whole graph. */
    @Override
    public void moved(VertexColumns vertices, int source, int target, int to) {
        recorded(vertices, source, target, to);
    }

    @Override
    public boolean takesMoved(int partition, PartitionLoads loads) {
        double k = loads.partitionCount();
        return loads.edges(partition) < RunningCap.of(loads.totalEdges() / k, imbalance) - 1
                && loads.vertices(partition) < (1 + REPLICA_IMBALANCE) * loads.totalReplicas() / k;
    }

    /** An end that has no home has it on this partition from now on. */
    private void settle(VertexColumns vertices, int source, int target, int partition) {
        if (vertices.home(source) == VertexColumns.NO_HOME) {
            homes.move(vertices, source, partition);
        }
        if (vertices.home(target) == VertexColumns.NO_HOME) {
            homes.move(vertices, target, partition);
        }
    }

    private int best(VertexColumns vertices, int source, int target, PartitionLoads loads) {
        long both = NONE;
        long sourceOnly = NONE;
        long targetOnly = NONE;
        int words = vertices.replicaWords();
        for (int word = 0; word < words; word++) {
            long ofSource = vertices.replicaWord(source, word);
            long ofTarget = vertices.replicaWord(target, word);
            both = loads.smallestRank(word, ofSource & ofTarget, both);
            sourceOnly = loads.smallestRank(word, ofSource & ~ofTarget, sourceOnly);
            targetOnly = loads.smallestRank(word, ofTarget & ~ofSource, targetOnly);
        }
        choice.begin(vertices, source, target, loads);
        choice.consider(loads.emptiest(), vertices, loads);
        if (both != NONE) {
            choice.consider(PartitionLoads.partitionOf(both), vertices, loads);
        }
        if (sourceOnly != NONE) {
            choice.consider(PartitionLoads.partitionOf(sourceOnly), vertices, loads);
        }
        if (targetOnly != NONE) {
            choice.consider(PartitionLoads.partitionOf(targetOnly), vertices, loads);
        }
        if (choice.sourceHome != VertexColumns.NO_HOME) {
            choice.consider(choice.sourceHome, vertices, loads);
        }
        if (choice.targetHome != VertexColumns.NO_HOME) {
            choice.consider(choice.targetHome, vertices, loads);
        }
        return choice.best;
    }

    @Override
    public void removed(VertexColumns vertices, int source, int target) {
        homes.forgetIfGone(vertices, source);
        if (target != source) {
            homes.forgetIfGone(vertices, target);
        }
    }

    @Override
    public boolean canChangePartitions() {
        return true;
    }

    @Override
    public void restrictTo(int open) {
        homes.restrictTo(open);
    }

    @Override
    public List<byte[]> snapshot() {
        return List.of(homes.toBytes());
    }

    @Override
    public void restore(List<byte[]> snapshot) {
        snapshot.forEach(homes::restore);
    }

    /** The best of the partitions considered for one edge; reused for every edge. */
    private final class Choice {
        private int source;
        private int target;
        private int sourceHome;
        private int targetHome;
        private double sourceGain;
        private double targetGain;
        private double balance;
        private double cap;
        private int best;
        private double bestScore;

        void begin(VertexColumns vertices, int source, int target, PartitionLoads loads) {
            this.source = source;
            this.target = target;
            sourceHome = vertices.home(source);
            targetHome = vertices.home(target);
            double sourceDegree = vertices.degree(source);
            double targetDegree = vertices.degree(target);
            double degrees = Math.max(1, sourceDegree + targetDegree); // others may remove edges of which it knows less
            sourceGain = 2 - sourceDegree / degrees;
            targetGain = 2 - targetDegree / degrees;
            double average = (double) loads.totalEdges() / loads.partitionCount();
            double room = imbalance * average + ROOM_SLACK;
            balance = lambda / (1 + room + (loads.maxEdges() - loads.minEdges()));
            cap = RunningCap.of(average, imbalance);
            best = Integer.MAX_VALUE;
            bestScore = -1;
        }

        void consider(int partition, VertexColumns vertices, PartitionLoads loads) {
            long edges = loads.edges(partition);
            if (edges >= cap) {
                return;
            }
            double score = (vertices.hasReplica(source, partition) ? sourceGain : 0)
                    + (vertices.hasReplica(target, partition) ? targetGain : 0)
                    + (partition == sourceHome ? pull * sourceGain : 0)
                    + (partition == targetHome ? pull * targetGain : 0)
                    + balance * (loads.maxEdges() - edges);
            if (score > bestScore || score == bestScore && partition < best) {
                best = partition;
                bestScore = score;
            }
        }
    }
}
