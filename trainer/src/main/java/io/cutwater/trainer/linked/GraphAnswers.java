package io.cutwater.trainer.linked;

import io.cutwater.trainer.channel.FrameAnswerer;
import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.feature.SparseFeatures;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers the questions of other shards about the vertices whose home this shard is. Little-endian. A question has a
 * kind (1 byte), fields of the kind, the number of vertices (4), and their local numbers (4 each):
 *
 * <ul>
 *   <li>Neighbours: fan-out (4), draw (8). The answer has for each sampled neighbour its address (8) and the number of
 *       its neighbours (4); the asker knows how many each vertex has.
 *   <li>Features. The answer has the rows (4 per value) if the shard's are dense. Otherwise it has the numbers of
 *       values of all rows (4 each), then all columns (4 each), then all values (4 each).
 *   <li>Rows: table (4). The answer has the rows (4 per value).
 * </ul>
 *
 * Thread-safe.
 */
public final class GraphAnswers implements FrameAnswerer {
    static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    static final byte NEIGHBOURS = 1;
    static final byte FEATURES = 2;
    static final byte ROWS = 3;
    /** Bytes of a sampled neighbour in an answer. */
    static final int NEIGHBOUR_BYTES = Long.BYTES + Integer.BYTES;

    private final Home shard;
    private final Map<Integer, RowTable> tables = new ConcurrentHashMap<>();
    private @Nullable Path folder;

    public GraphAnswers(LinkedShard shard) {
        this((Home) shard);
    }

    private GraphAnswers(Home shard) {
        this.shard = shard;
    }

    /**
     * Answers in the files of a shard of another process.
     *
     * @param folder folder of {@link #fileOf}
     */
    static GraphAnswers inFiles(Home shard, Path folder) {
        GraphAnswers answers = new GraphAnswers(shard);
        answers.folder = folder;
        return answers;
    }

    /** Returns the name of a table's file, if the table is in one. */
    public static String fileOf(int table) {
        return "table-" + table;
    }

    /** Lets others read a table. */
    public void offer(int table, RowTable rows) {
        tables.put(table, rows);
    }

    @Override
    public ByteBuffer answer(ByteBuffer question) {
        try {
            return read(question.duplicate().order(ORDER));
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a truncated question; run all processes with the same version", e);
        }
    }

    private ByteBuffer read(ByteBuffer asked) {
        byte kind = asked.get();
        return switch (kind) {
            case NEIGHBOURS -> neighbours(asked.getInt(), asked.getLong(), locals(asked));
            case FEATURES ->
                shard.features() instanceof DenseFeatures dense
                        ? rows(dense.columns(), dense::copyRow, locals(asked))
                        : sparse((SparseFeatures) shard.features(), locals(asked));
            case ROWS -> {
                RowTable table = tables.computeIfAbsent(asked.getInt(), this::inFile);
                yield rows(table.width(), table::copyRow, locals(asked));
            }
            default ->
                throw new IllegalArgumentException(
                        "a question of unknown kind %d; run all processes with the same version".formatted(kind));
        };
    }

    /** Opens a table when it is first read: its owner makes it after it was linked. */
    private RowTable inFile(int table) {
        Path from = folder;
        if (from == null) {
            throw new IllegalArgumentException("it does not have these rows");
        }
        try {
            Path file = from.resolve(fileOf(table));
            int width = (int) (Files.size(file) / Float.BYTES / Math.max(1, shard.vertexCount()));
            return RowTable.of(DenseFeatures.open(file, width));
        } catch (IOException e) {
            throw new IllegalArgumentException("the file of its rows cannot be read: " + e.getMessage(), e);
        }
    }

    private int[] locals(ByteBuffer asked) {
        int count = asked.getInt();
        if (count != asked.remaining() / Integer.BYTES) {
            throw new IllegalArgumentException(
                    "a question about %d vertices with %d bytes".formatted(count, asked.remaining()));
        }
        int[] locals = new int[count];
        asked.asIntBuffer().get(locals);
        for (int local : locals) {
            if (local < 0 || local >= shard.vertexCount()) {
                throw new IllegalArgumentException("it does not have vertex " + local);
            }
        }
        return locals;
    }

    private static ByteBuffer buffer(long bytes) {
        if (bytes > Integer.MAX_VALUE - 64) {
            throw new IllegalArgumentException(
                    "an answer of %,d bytes is too large; use smaller fan-outs or mini-batches".formatted(bytes));
        }
        return ByteBuffer.allocate((int) bytes).order(ORDER);
    }

    private ByteBuffer neighbours(int fanout, long draw, int[] locals) {
        long bytes = 0;
        int most = 0;
        for (int local : locals) {
            int size = Home.sampleSize(shard.degree(local), fanout);
            bytes += (long) size * NEIGHBOUR_BYTES;
            most = Math.max(most, size);
        }
        ByteBuffer answer = buffer(bytes);
        int[] drawn = new int[most];
        for (int local : locals) {
            shard.sample(local, fanout, draw, drawn, number -> {
                answer.putLong(shard.address(number)).putInt(shard.degree(number));
            });
        }
        return answer.flip();
    }

    private interface Copier {
        void copyRow(int local, FloatBuffer into);
    }

    private static ByteBuffer rows(int width, Copier rows, int[] locals) {
        ByteBuffer answer = buffer((long) locals.length * width * Float.BYTES);
        FloatBuffer into = answer.asFloatBuffer();
        for (int local : locals) {
            rows.copyRow(local, into);
        }
        return answer;
    }

    private static ByteBuffer sparse(SparseFeatures rows, int[] locals) {
        long values = 0;
        for (int local : locals) {
            values += rows.begin(local + 1) - rows.begin(local);
        }
        ByteBuffer answer = buffer((long) locals.length * Integer.BYTES + 2 * values * Integer.BYTES);
        for (int local : locals) {
            answer.putInt((int) (rows.begin(local + 1) - rows.begin(local)));
        }
        for (int local : locals) {
            for (long at = rows.begin(local); at < rows.begin(local + 1); at++) {
                answer.putInt(rows.column(at));
            }
        }
        for (int local : locals) {
            for (long at = rows.begin(local); at < rows.begin(local + 1); at++) {
                answer.putFloat(rows.value(at));
            }
        }
        return answer.flip();
    }
}
