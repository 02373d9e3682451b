package io.cutwater.state.feedback.move;

import io.cutwater.state.feedback.TableRequests;
import io.cutwater.state.feedback.Views;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.quality.PartitionQuality;
import io.cutwater.state.quality.Quality;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What the first of several assigners tells the others. It goes to the table of bucket 0, which passes it on; so orders
 * come in their order. Each assigner, the first one included, answers by way of every bucket, behind all updates that
 * it has sent: a table that has the answers of all to all of its buckets has whatever they did before.
 *
 * @param number 1, 2, 3 … in an attempt; a later order replaces an earlier one
 * @param generation see {@link io.cutwater.state.repartition.live.LivePlacement#setGeneration}
 * @param partitions k
 * @param open partitions on which the live rule places, 1 to k
 * @param hasMoves whether each assigner is to make its moves of the plan; then it answers when it has made them
 * @param plan number of the plan
 * @param edgesPerSecond edges that each assigner may move per second, {@link Long#MAX_VALUE} for no limit
 */
record Order(long number, long generation, int partitions, int open, boolean hasMoves, long plan, long edgesPerSecond) {
    /** Numbers of requests that nobody makes: a reply to one of them is an order, an answer, or a table's counts. */
    static final long ORDER = Long.MAX_VALUE - 1;

    static final long ANSWER = Long.MAX_VALUE - 2;
    static final long COUNTS = Long.MAX_VALUE - 3;

    private static final int WORDS = 7;

    long[] words() {
        return new long[] {number, generation, partitions, open, hasMoves ? 1 : 0, plan, edgesPerSecond};
    }

    static Order of(Views reply) {
        long[] words = words(reply.copies());
        if (words.length < WORDS) {
            throw new IllegalStateException("an order of %d words, which should be %d; please report this as a defect"
                    .formatted(words.length, WORDS));
        }
        return new Order(words[0], words[1], (int) words[2], (int) words[3], words[4] != 0, words[5], words[6]);
    }

    /** Appends words to the rows of a message, two to a row. */
    static void append(long[] words, EdgeBatch rows) {
        for (int i = 0; i < words.length; i += 2) {
            rows.add(words[i], i + 1 < words.length ? words[i + 1] : 0);
        }
    }

    /** Returns the words of a message, one more if their number was odd. */
    static long[] words(EdgeBatch rows) {
        long[] words = new long[2 * rows.size()];
        Arrays.setAll(words, i -> i % 2 == 0 ? rows.source(i / 2) : rows.target(i / 2));
        return words;
    }

    /**
     * What an assigner says of an order.
     *
     * @param order its number
     * @param generation of the order
     * @param moved edges that the assigner has moved in this generation, in this attempt
     * @param rest its {@link #edges} if it is done; nothing while it moves edges; why it cannot if it has failed
     */
    record Answer(long order, long generation, long moved, State state, long[] rest) {
        private static final int HEADER = 4;

        /** How far an assigner is with an order. */
        enum State {
            MOVING,
            DONE,
            FAILED
        }

        /**
         * Returns what an assigner says of its edges: those by partition; in a vertex partitioning first how many there
         * are, and then edges and volume of each partition.
         */
        static long[] edges(RemotePlacement.Engine engine, boolean hasOwners) {
            if (!hasOwners) {
                return engine.loads().edges();
            }
            Quality own = engine.placement().quality(0);
            long[] words = new long[1 + 2 * own.partitions()];
            words[0] = own.edges();
            for (PartitionQuality partition : own.perPartition()) {
                words[1 + 2 * partition.partition()] = partition.edges();
                words[2 + 2 * partition.partition()] = partition.volume();
            }
            return words;
        }

        static Answer failed(long order, long generation, long moved, String reason) {
            byte[] text = reason.getBytes(StandardCharsets.UTF_8);
            ByteBuffer padded = ByteBuffer.allocate((text.length + Long.BYTES - 1) / Long.BYTES * Long.BYTES);
            LongBuffer longs = padded.put(text).rewind().asLongBuffer();
            long[] words = new long[longs.remaining()];
            longs.get(words);
            return new Answer(order, generation, moved, State.FAILED, words);
        }

        static Answer of(long[] words) {
            State[] states = State.values();
            if (words.length < HEADER || words[3] < 0 || words[3] >= states.length) {
                throw new IllegalStateException("%d words are no answer of an assigner; please report this as a defect"
                        .formatted(words.length));
            }
            long[] rest = Arrays.copyOfRange(words, HEADER, words.length);
            return new Answer(words[0], words[1], words[2], states[(int) words[3]], rest);
        }

        /** Returns why it has failed. */
        String reason() {
            ByteBuffer bytes = ByteBuffer.allocate(rest.length * Long.BYTES);
            bytes.asLongBuffer().put(rest);
            return new String(bytes.array(), StandardCharsets.UTF_8).replace("\0", "");
        }

        /** Sends it: the rest by way of bucket 0 only, and all of it there only if it is not done. */
        void send(TableRequests requests) {
            requests.flush();
            long request = requests.next();
            long[] words = new long[HEADER + rest.length];
            words[0] = order;
            words[1] = generation;
            words[2] = moved;
            words[3] = state.ordinal();
            System.arraycopy(rest, 0, words, HEADER, rest.length);
            requests.answer(0, request, words);
            for (int bucket = 1; state != State.MOVING && bucket < requests.buckets(); bucket++) {
                requests.answer(bucket, request, Arrays.copyOf(words, HEADER));
            }
        }
    }
}
