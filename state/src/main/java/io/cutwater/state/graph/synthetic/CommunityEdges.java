package io.cutwater.state.graph.synthetic;

import io.cutwater.state.graph.EdgeBatch;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Growing planted communities in constant memory per community: the members of community c are c, c + C, c + 2C and so
 * on in the order in which they come, C being the number of communities, so that no list of them is needed.
 *
 * <p>The end of an edge is member ⌊n · U³⌋ of a community of n, U uniform: member j is chosen at a rate of j^(−2/3), so
 * that early members become hubs and the degrees follow a power law with exponent 2.5. Communities are chosen by ⌊C ·
 * U²⌋, so that the first are the largest.
 */
final class CommunityEdges implements EdgeGenerator {
    private static final int EDGES_PER_VERTEX = 8;
    private static final double OUTSIDE = 0.1;

    private final SplittableRandom random;
    private final long[] memberCounts;
    private final long[] edgeCounts;

    CommunityEdges(int communities, long seed) {
        random = new SplittableRandom(seed);
        memberCounts = new long[communities];
        edgeCounts = new long[communities];
        Arrays.fill(memberCounts, 2); // so that a community always has a second member to be linked to
    }

    @Override
    public void appendNext(EdgeBatch batch) {
        int community = anyCommunity();
        boolean isNew = ++edgeCounts[community] % EDGES_PER_VERTEX == 0;
        long sourceMember = isNew ? memberCounts[community]++ : anyMember(community);
        int otherCommunity = random.nextDouble() < OUTSIDE ? anyCommunity() : community;
        long targetMember = anyMember(otherCommunity);
        if (otherCommunity == community && targetMember == sourceMember) {
            targetMember = (targetMember + 1) % memberCounts[community];
        }
        batch.add(vertex(community, sourceMember), vertex(otherCommunity, targetMember));
    }

    private int anyCommunity() {
        double position = random.nextDouble();
        return (int) (memberCounts.length * position * position);
    }

    private long anyMember(int community) {
        double position = random.nextDouble();
        return (long) (memberCounts[community] * position * position * position);
    }

    private long vertex(int community, long member) {
        return member * memberCounts.length + community;
    }
}
