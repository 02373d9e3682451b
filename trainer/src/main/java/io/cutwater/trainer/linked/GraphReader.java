package io.cutwater.trainer.linked;

import io.cutwater.trainer.channel.FrameChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads neighbours and rows of vertices at their homes: one question per home, all at the same time, and more for very
 * many rows. Used by one thread.
 */
public final class GraphReader {
    /** Bytes of rows that one answer should have at most. */
    private static final long MAX_ANSWER = 1 << 26;

    private final LinkedShard shard;
    private int[] drawn = new int[32];
    private long bytes;
    private long mapped;

    public GraphReader(LinkedShard shard) {
        this.shard = shard;
    }

    /** Returns the bytes of questions to other shards, and of their answers, since the last call. */
    public long takeBytes() {
        long taken = bytes;
        bytes = 0;
        return taken;
    }

    /** Returns the bytes that files on this host saved, since the last call. */
    public long takeMapped() {
        long taken = mapped;
        mapped = 0;
        return taken;
    }

    /** Writes the fields of a question. */
    private interface Head {
        void write(ByteBuffer question);
    }

    /** Takes the answer to a question about the vertices at some positions. */
    private interface Taker {
        void take(int[] positions, int from, int to, ByteBuffer answer) throws IOException;
    }

    private record Open(int shard, boolean isMapped, int from, int to, FrameChannel.Answer answer) {}

    /**
     * Asks the homes of the vertices at some positions.
     *
     * @param most number of vertices in one question
     * @param isInFiles whether the files of a shard have the answer
     */
    private void ask(int count, Vertices vertices, int most, boolean isInFiles, int headBytes, Head head, Taker taker)
            throws IOException, InterruptedException {
        int shards = shard.count();
        int[] begin = new int[shards + 1];
        for (int i = 0; i < count; i++) {
            begin[Address.shard(vertices.at(i)) + 1]++;
        }
        for (int home = 0; home < shards; home++) {
            begin[home + 1] += begin[home];
        }
        int[] positions = new int[count];
        int[] next = begin.clone();
        for (int i = 0; i < count; i++) {
            positions[next[Address.shard(vertices.at(i))]++] = i;
        }
        List<Open> open = new ArrayList<>();
        for (int home = 0; home < shards; home++) {
            GraphAnswers onHost = isInFiles ? shard.onHost(home) : null;
            for (int from = begin[home], to; from < begin[home + 1]; from = to) {
                to = (int) Math.min(begin[home + 1], (long) from + most);
                ByteBuffer question = ByteBuffer.allocate(headBytes + (1 + to - from) * Integer.BYTES)
                        .order(GraphAnswers.ORDER);
                head.write(question);
                question.putInt(to - from);
                for (int i = from; i < to; i++) {
                    question.putInt(Address.local(vertices.at(positions[i])));
                }
                count(home, onHost != null, question.flip().remaining());
                FrameChannel.Answer answer = onHost == null ? shard.ask(home, question) : () -> onHost.answer(question);
                open.add(new Open(home, onHost != null, from, to, answer));
            }
        }
        for (Open each : open) {
            ByteBuffer answer = each.answer.get().order(GraphAnswers.ORDER);
            count(each.shard, each.isMapped, answer.remaining());
            taker.take(positions, each.from, each.to, answer);
        }
    }

    private interface Vertices {
        long at(int position);
    }

    private void count(int home, boolean isMapped, int size) {
        if (isMapped) {
            mapped += size;
        } else if (home != shard.rank()) {
            bytes += size;
        }
    }

    private static void require(ByteBuffer answer, long expected) throws IOException {
        if (answer.remaining() != expected) {
            throw new IOException(
                    "a shard answered with %d bytes instead of %d; run all processes with the same version"
                            .formatted(answer.remaining(), expected));
        }
    }

    /**
     * Samples neighbours, see {@link LinkedShard#sample}.
     *
     * @param vertices addresses
     * @param offsets where the sample of each vertex begins and ends in the results
     * @param draw seed of the samples
     * @param found receives the addresses of the neighbours
     * @param degrees receives their numbers of neighbours
     */
    void neighbours(long[] vertices, int[] offsets, int fanout, long draw, long[] found, int[] degrees)
            throws IOException, InterruptedException {
        int[] others = new int[offsets.length - 1];
        int count = 0;
        for (int i = 0; i < others.length; i++) {
            if (offsets[i + 1] == offsets[i]) {
                continue;
            }
            if (Address.shard(vertices[i]) != shard.rank()) {
                others[count++] = i;
                continue;
            }
            drawn = drawn.length < offsets[i + 1] - offsets[i] ? new int[2 * (offsets[i + 1] - offsets[i])] : drawn;
            int[] at = {offsets[i]};
            shard.sample(Address.local(vertices[i]), fanout, draw, drawn, number -> {
                found[at[0]] = shard.address(number);
                degrees[at[0]++] = shard.degree(number);
            });
        }
        ask(
                count,
                i -> vertices[others[i]],
                Integer.MAX_VALUE,
                true,
                1 + Integer.BYTES + Long.BYTES,
                question -> question.put(GraphAnswers.NEIGHBOURS).putInt(fanout).putLong(draw),
                (positions, from, to, answer) -> {
                    long size = 0;
                    for (int i = from; i < to; i++) {
                        int vertex = others[positions[i]];
                        size += offsets[vertex + 1] - offsets[vertex];
                    }
                    require(answer, size * GraphAnswers.NEIGHBOUR_BYTES);
                    for (int i = from; i < to; i++) {
                        int vertex = others[positions[i]];
                        for (int at = offsets[vertex]; at < offsets[vertex + 1]; at++) {
                            found[at] = answer.getLong();
                            degrees[at] = answer.getInt();
                        }
                    }
                });
    }

    /**
     * Reads rows of a table.
     *
     * @param table see {@link GraphAnswers#offer}
     * @param isInFile whether the table is in a file of its shard
     * @param into receives the rows, one after the other, from its beginning
     */
    public void rows(int table, boolean isInFile, int width, long[] vertices, int count, FloatBuffer into)
            throws IOException, InterruptedException {
        ask(
                count,
                i -> vertices[i],
                most((long) width * Float.BYTES),
                isInFile,
                1 + Integer.BYTES,
                question -> question.put(GraphAnswers.ROWS).putInt(table),
                (positions, from, to, answer) -> {
                    require(answer, (long) (to - from) * width * Float.BYTES);
                    FloatBuffer rows = answer.asFloatBuffer();
                    for (int i = from; i < to; i++) {
                        into.put(positions[i] * width, rows, (i - from) * width, width);
                    }
                });
    }

    /** Returns the features of vertices in the same order. */
    public RemoteRow[] features(long[] vertices, int count) throws IOException, InterruptedException {
        int columns = shard.features().columns();
        RemoteRow[] rows = new RemoteRow[count];
        ask(
                count,
                i -> vertices[i],
                most((long) columns * Float.BYTES),
                true,
                1,
                question -> question.put(GraphAnswers.FEATURES),
                (positions, from, to, answer) -> {
                    if (shard.hasSparseRows(Address.shard(vertices[positions[from]]))) {
                        takeSparse(positions, from, to, answer, columns, rows);
                        return;
                    }
                    require(answer, (long) (to - from) * columns * Float.BYTES);
                    FloatBuffer values = answer.asFloatBuffer();
                    for (int i = from; i < to; i++) {
                        float[] row = new float[columns];
                        values.get(row);
                        rows[positions[i]] = new RemoteRow(RemoteRow.DENSE, row);
                    }
                });
        return rows;
    }

    private static void takeSparse(int[] positions, int from, int to, ByteBuffer answer, int columns, RemoteRow[] rows)
            throws IOException {
        int[] sizes = new int[to - from];
        if (answer.remaining() < sizes.length * Integer.BYTES) {
            require(answer, sizes.length * Integer.BYTES);
        }
        long values = 0;
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = answer.getInt();
            if (sizes[i] < 0 || sizes[i] > columns) {
                throw new IOException("a shard answered with a row of %d values of %d features; %s"
                        .formatted(sizes[i], columns, "run all processes with the same version"));
            }
            values += sizes[i];
        }
        require(answer, 2 * values * Integer.BYTES);
        ByteBuffer second = answer.duplicate().order(GraphAnswers.ORDER);
        second.position(second.position() + (int) values * Integer.BYTES);
        for (int i = 0; i < sizes.length; i++) {
            RemoteRow row = new RemoteRow(new int[sizes[i]], new float[sizes[i]]);
            for (int at = 0; at < sizes[i]; at++) {
                row.columns()[at] = answer.getInt();
                row.values()[at] = second.getFloat();
            }
            rows[positions[from + i]] = row;
        }
    }

    private static int most(long bytesPerRow) {
        return (int) Math.max(1, MAX_ANSWER / Math.max(1, bytesPerRow));
    }
}
