package io.cutwater.deploy.bench.speed;

import io.cutwater.format.VertexSplit;
import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.feature.SparseFeatures;
import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The times of epochs of a Python program, {@code peer.py}, on the same graph with the same settings: PyTorch with one
 * thread, or PyTorch Geometric. Its sampler is of array operations on the device.
 */
public final class PeerEpochs {
    /** Library name of PyTorch alone. */
    public static final String PLAIN = "plain";
    /** Library name of PyTorch Geometric. */
    public static final String GEOMETRIC = "pyg";

    private static final int RESULT_WORDS = 6;
    private static final Duration DESCRIPTION_LIMIT = Duration.ofMinutes(2);

    private final String python;
    private final Path folder;

    /**
     * Writes the program, and a graph for it.
     *
     * @param python Python with PyTorch
     * @param folder folder of the written files, without those of another graph
     */
    public PeerEpochs(String python, ShardStore store, Path folder) throws IOException {
        this.python = python;
        this.folder = folder;
        program(folder);
        write(store);
    }

    /**
     * The Python on this machine.
     *
     * @param torch version of PyTorch
     * @param geometric version of PyTorch Geometric, empty if it is absent
     * @param gpu name of the first GPU, empty if PyTorch sees none
     */
    record Installed(String torch, String geometric, String gpu) {}

    /**
     * Asks a Python for its libraries.
     *
     * @throws IllegalStateException if it has no PyTorch; the message is meant for users
     */
    static Installed installed(String python, Path folder) throws IOException, InterruptedException {
        Program run;
        try {
            run = Program.run(List.of(python, program(folder).toString(), "--describe"), Map.of(), DESCRIPTION_LIMIT);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "--python %s does not start (%s); name the Python that has PyTorch"
                            .formatted(python, e.getMessage()),
                    e);
        }
        if (run.exitCode() != 0 || run.lines().size() < 3) {
            throw new IllegalStateException(
                    "--python %s cannot import numpy and torch (%s); name the Python that has them"
                            .formatted(python, run.lastLine()));
        }
        List<String> last =
                run.lines().subList(run.lines().size() - 3, run.lines().size());
        return new Installed(last.get(0), last.get(1), last.get(2));
    }

    private static Path program(Path folder) throws IOException {
        Path file = folder.resolve("peer.py");
        if (!Files.exists(file)) {
            try (InputStream in = PeerEpochs.class.getResourceAsStream("peer.py")) {
                if (in == null) {
                    throw new IOException("there is no peer.py in the class path; build the benches again");
                }
                Files.copy(in, file);
            }
        }
        return file;
    }

    /** Writes little-endian arrays. */
    private interface Content {
        void write(Output out) throws IOException;
    }

    /** A file of numbers. */
    private static final class Output {
        private final OutputStream out;
        private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);

        Output(OutputStream out) {
            this.out = out;
        }

        void putLong(long value) throws IOException {
            out.write(number.putLong(0, value).array(), 0, Long.BYTES);
        }

        void putInt(int value) throws IOException {
            out.write(number.putInt(0, value).array(), 0, Integer.BYTES);
        }

        void putFloat(float value) throws IOException {
            putInt(Float.floatToRawIntBits(value));
        }
    }

    private void file(String name, Content content) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(folder.resolve(name)), 1 << 20)) {
            content.write(new Output(out));
        }
    }

    private void write(ShardStore store) throws IOException {
        int vertices = store.vertexCount();
        file("columns", out -> out.putLong(store.features().columns()));
        file("offsets", out -> {
            for (int vertex = 0; vertex <= vertices; vertex++) {
                out.putLong(store.begin(vertex));
            }
        });
        file("neighbours", out -> {
            for (long at = 0; at < store.neighbourCount(); at++) {
                out.putInt(store.neighbour(at));
            }
        });
        file("labels", out -> {
            for (int vertex = 0; vertex < vertices; vertex++) {
                out.putInt(store.label(vertex));
            }
        });
        file("train", out -> {
            for (int vertex : store.verticesOf(VertexSplit.TRAIN)) {
                out.putInt(vertex);
            }
        });
        if (store.features() instanceof SparseFeatures sparse) {
            write(sparse, vertices);
        } else {
            write((DenseFeatures) store.features(), vertices);
        }
    }

    private void write(SparseFeatures features, int vertices) throws IOException {
        file("feature-offsets", out -> {
            for (int vertex = 0; vertex <= vertices; vertex++) {
                out.putLong(features.begin(vertex));
            }
        });
        long count = features.begin(vertices);
        file("feature-columns", out -> {
            for (long at = 0; at < count; at++) {
                out.putInt(features.column(at));
            }
        });
        file("feature-values", out -> {
            for (long at = 0; at < count; at++) {
                out.putFloat(features.value(at));
            }
        });
    }

    private void write(DenseFeatures features, int vertices) throws IOException {
        FloatBuffer row = FloatBuffer.allocate(features.columns());
        file("features", out -> {
            for (int vertex = 0; vertex < vertices; vertex++) {
                features.copyRow(vertex, row.clear());
                for (float value : row.array()) {
                    out.putFloat(value);
                }
            }
        });
    }

    /**
     * Trains a model.
     *
     * @param library {@link #PLAIN} or {@link #GEOMETRIC}
     * @param options options of the training, with a device; the model's name is ignored
     * @param limit time after which the program is ended
     * @throws IllegalStateException if the program failed; the message is meant for users
     */
    public EpochTimes measure(String library, String name, TrainerOptions options, EpochTimes.Plan plan, Duration limit)
            throws IOException, InterruptedException {
        ModelOptions model = options.model();
        List<String> command = List.of(
                python,
                folder.resolve("peer.py").toString(),
                folder.toString(),
                "--library=" + library,
                "--model=" + name,
                "--device=" + options.device(),
                "--hidden=" + model.hidden(),
                "--heads=" + model.heads(),
                "--dropout=" + model.dropout(),
                "--learning-rate=" + options.learningRate(),
                "--weight-decay=" + joined(options.weightDecays()),
                "--batch=" + options.sampling().batchSize(),
                "--fanouts=" + joined(options.sampling().fanouts()),
                "--rounds=" + plan.rounds(),
                "--epochs=" + plan.epochs(),
                "--warm-ups=" + plan.warmUps(),
                "--test-every=" + plan.testEvery());
        Program run = Program.run(command, Map.of("OMP_NUM_THREADS", "1", "PYTHONUNBUFFERED", "1"), limit);
        for (String line : run.lines()) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("RESULT") && words.length == RESULT_WORDS) {
                return new EpochTimes(
                        number(words[1]), number(words[2]), number(words[3]), number(words[4]), number(words[5]));
            }
        }
        throw new IllegalStateException("%s with library %s failed: %s"
                .formatted(
                        python,
                        library,
                        run.exitCode() == Program.TOO_LONG
                                ? "it took more than %d s".formatted(limit.toSeconds())
                                : run.lastLine()));
    }

    private static double number(String python) {
        return python.equals("nan") ? Double.NaN : Double.parseDouble(python);
    }

    private static String joined(List<?> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
