package io.cutwater.state.feedback;

import io.cutwater.state.feedback.bucket.VertexSet;
import io.cutwater.state.graph.SlotIndex;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The vertices of a bucket that have an owner and no edge, if several assigners keep edges: those that wait for their
 * first edge, and those that have lost their last one. Such a vertex may go when every assigner has forgotten its
 * owner, because until then one may place an edge by it. So all are asked, and a question counts as long as nothing
 * comes to the vertex.
 *
 * <pre>
 *   4 bytes  number of vertices
 *   each     8 bytes vertex, 2 bytes owner
 * </pre>
 */
final class IdleVertices {
    /** Stands for the assigner if it is not known. */
    static final int NOBODY = -1;

    /** The number of no question. */
    static final long NO_QUESTION = 0;

    private static final int VERTEX_BYTES = Long.BYTES + Short.BYTES;

    private final VertexSet vertices = new VertexSet();
    private int[] owners = new int[4];
    private int[] assigners = new int[4];
    private long[] questions = new long[4];
    private @Nullable BitSet[] released = new BitSet[4];

    /** @param assigner that has proposed the owner, or has removed the last edge, or {@link #NOBODY} */
    void add(long vertex, int owner, int assigner) {
        int at = vertices.add(vertex);
        if (at == owners.length) {
            owners = Arrays.copyOf(owners, 2 * at);
            assigners = Arrays.copyOf(assigners, 2 * at);
            questions = Arrays.copyOf(questions, 2 * at);
            released = Arrays.copyOf(released, 2 * at);
        }
        owners[at] = owner;
        assigners[at] = assigner;
        questions[at] = NO_QUESTION;
        released[at] = null;
    }

    boolean has(long vertex) {
        return vertices.find(vertex) != SlotIndex.NO_SLOT;
    }

    /** Removes a vertex that has an edge, or is gone; nothing if it is not here. */
    void remove(long vertex) {
        int at = vertices.find(vertex);
        if (at == SlotIndex.NO_SLOT) {
            return;
        }
        int last = vertices.remove(at);
        owners[at] = owners[last];
        assigners[at] = assigners[last];
        questions[at] = questions[last];
        released[at] = released[last];
        released[last] = null;
    }

    /**
     * All assigners are to be asked about a vertex that is here.
     *
     * @param question another number each time, at least 1
     */
    void ask(long vertex, long question) {
        int at = vertices.find(vertex);
        questions[at] = question;
        released[at] = new BitSet();
    }

    /** An edge will come to a vertex that is here: the answers to a question count no more. */
    void cancelQuestion(long vertex) {
        int at = vertices.find(vertex);
        questions[at] = NO_QUESTION;
        released[at] = null;
    }

    /** Returns the question about a vertex that counts, or {@link #NO_QUESTION}. */
    long question(long vertex) {
        int at = vertices.find(vertex);
        return at == SlotIndex.NO_SLOT ? NO_QUESTION : questions[at];
    }

    /** Takes down that an assigner has forgotten the owner; returns how many have, 0 if the question does not count. */
    int release(long vertex, long question, int assigner) {
        int at = vertices.find(vertex);
        BitSet answers = at == SlotIndex.NO_SLOT || questions[at] != question ? null : released[at];
        if (answers == null) {
            return 0;
        }
        answers.set(assigner);
        return answers.cardinality();
    }

    /** Returns the assigner that {@link #add} has named. */
    int assigner(long vertex) {
        return assigners[vertices.find(vertex)];
    }

    /** A vertex has another owner; nothing if it is not here. */
    void setOwner(long vertex, int owner) {
        int at = vertices.find(vertex);
        if (at != SlotIndex.NO_SLOT) {
            owners[at] = owner;
        }
    }

    /** Names another assigner. */
    void setAssigner(long vertex, int assigner) {
        assigners[vertices.find(vertex)] = assigner;
    }

    long[] toArray() {
        return vertices.toArray();
    }

    boolean isEmpty() {
        return vertices.size() == 0;
    }

    /** Takes these vertices from the number that each partition owns. */
    void subtractFrom(long[] owned) {
        for (int i = 0; i < vertices.size(); i++) {
            owned[owners[i]]--;
        }
    }

    int size() {
        return vertices.size();
    }

    /** Returns the length of what {@link #writeTo} writes. */
    int bytes() {
        return Math.addExact(Integer.BYTES, Math.multiplyExact(VERTEX_BYTES, vertices.size()));
    }

    void writeTo(ByteBuffer out) {
        out.putInt(vertices.size());
        for (int i = 0; i < vertices.size(); i++) {
            out.putLong(vertices.vertex(i)).putShort((short) owners[i]);
        }
    }

    /** Adds what {@link #writeTo} wrote. */
    void readFrom(ByteBuffer in) {
        for (int count = in.getInt(); count > 0; count--) {
            long vertex = in.getLong();
            add(vertex, in.getShort(), NOBODY);
        }
    }
}
