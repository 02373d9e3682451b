package io.cutwater.deploy.bench.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cutwater.trainer.model.ModelOptions;
import io.cutwater.trainer.model.ModelOptions.Aggregator;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuBenchTest {
    private static final String GRAPH = "rmat:6:300:8";

    @TempDir
    Path temp;

    @Test
    void aRunOnTheCpuPrintsARowForEachGraphAndModel() {
        StringWriter text = new StringWriter();
        int exitCode = GpuBench.run(
                new PrintWriter(text),
                "--device=cpu",
                "--no-bridge",
                "--no-peer",
                "--graphs=computers:0.01," + GRAPH,
                "--models=gcn,gat,sampled",
                "--hidden=16",
                "--rounds=2",
                "--batch=16");
        assertThat(exitCode).as(text.toString()).isZero();
        String table = text.toString().substring(text.toString().indexOf("| graph |"));
        assertThat(table.lines().skip(2))
                .hasSize(6)
                .allMatch(
                        row -> row.matches(
                                "\\| (computers:0.01, 137 vertices, 2,458 edges, 767|rmat:6:300:8, 64 vertices, \\d+ edges, 8)"
                                        + " features \\| (gcn|gat|sampled) \\| \\d+\\.\\d+ \\| \\d+\\.\\d+ \\| [0-4]\\.\\d+ \\| \\| \\|"));
    }

    @Test
    void withoutAGpuASentenceSaysWhatToDo() throws IOException {
        String python = python("printf '2.9.0\\n\\n\\n'");
        StringWriter text = new StringWriter();
        assertThat(GpuBench.run(new PrintWriter(text), "--python=" + python)).isEqualTo(2);
        assertThat(text.toString())
                .contains("Python has PyTorch 2.9.0, no PyTorch Geometric; it sees no GPU")
                .contains(
                        "gpu-bench: --device gpu: PyTorch sees no GPU here; check with nvidia-smi, or use --device cpu");
    }

    @Test
    void aPythonWithoutPytorchIsNamed() throws IOException {
        String python = python("echo 'No module named torch'; exit 1");
        StringWriter text = new StringWriter();
        assertThat(GpuBench.run(new PrintWriter(text), "--python=" + python)).isEqualTo(2);
        assertThat(text.toString())
                .contains("gpu-bench: --python %s cannot import numpy and torch (No module named torch); name"
                        .formatted(python));
    }

    @Test
    void theNumbersOfTheProgramAreRead() throws Exception {
        String python = python(
                "echo some warning; echo \"$@\" >" + temp.resolve("arguments") + "; echo RESULT 1.5 2.5 nan nan 0.25");
        ShardStore store = GeneratedGraph.of(GRAPH).store(temp.resolve("store"));
        PeerEpochs peers = new PeerEpochs(python, store, Files.createDirectory(temp.resolve("peer")));
        EpochTimes times = measure(peers, Duration.ofMinutes(1));
        assertThat(times).isEqualTo(new EpochTimes(1.5, 2.5, Double.NaN, Double.NaN, 0.25));
        assertThat(temp.resolve("arguments"))
                .content()
                .contains("--library=plain --model=gcn --device=cpu --hidden=4 --heads=1 --dropout=0.5")
                .contains("--weight-decay=0.5,0.5 --batch=-1 --fanouts=-1,-1 --rounds=4 --epochs=3 --warm-ups=1");
        ByteBuffer offsets = ByteBuffer.wrap(Files.readAllBytes(temp.resolve("peer/offsets")))
                .order(ByteOrder.LITTLE_ENDIAN);
        assertThat(offsets.getLong(offsets.limit() - Long.BYTES)).isEqualTo(store.neighbourCount());
        assertThat(Files.size(temp.resolve("peer/features"))).isEqualTo(64 * 8 * Float.BYTES);
    }

    private static EpochTimes measure(PeerEpochs peers, Duration limit) throws IOException, InterruptedException {
        TrainerOptions options = new TrainerOptions(
                new ModelOptions("gcn", 2, 4, 1, Aggregator.MEAN, 0.5),
                new SamplingOptions(List.of(SamplingOptions.ALL, SamplingOptions.ALL), SamplingOptions.ALL, 1, 1),
                0.01,
                0.5,
                1,
                "cpu");
        return peers.measure(PeerEpochs.PLAIN, "gcn", options, new EpochTimes.Plan(4, 3, 0), limit);
    }

    @Test
    void aProgramThatTakesTooLongIsEnded() throws Exception {
        Program run = Program.run(List.of("sh", "-c", "echo begun; sleep 60"), Map.of(), Duration.ZERO);
        assertThat(run.exitCode()).isEqualTo(Program.TOO_LONG);
    }

    /** With a Python that has PyTorch only: its loss falls to about ours, since all settings are the same. */
    @Test
    @Tag("campaign")
    void theProgramTrainsAsWeDo() throws Exception {
        String python = System.getProperty("cutwater.torch.python", "python3");
        assumeTrue(Program.run(List.of(python, "-c", "import torch"), Map.of(), Duration.ofMinutes(1))
                        .exitCode()
                == 0);
        for (String model : List.of("gcn", "graphsage", "gat", "sampled")) {
            StringWriter text = new StringWriter();
            int exitCode = GpuBench.run(
                    new PrintWriter(text),
                    "--device=cpu",
                    "--no-bridge",
                    "--python=" + python,
                    "--graphs=computers:0.02",
                    "--models=" + model,
                    "--hidden=16",
                    "--rounds=6",
                    "--batch=64");
            assertThat(exitCode).as(text.toString()).isZero();
            String[] row = text.toString()
                    .strip()
                    .lines()
                    .reduce((a, b) -> b)
                    .orElseThrow()
                    .split(" \\| ");
            double own = Double.parseDouble(row[4]);
            double other = Double.parseDouble(row[7].replace(" |", ""));
            assertThat(own).as(text.toString()).isBetween(other - 0.5, other + 0.5);
        }
    }

    @Test
    void aFailedTestIsNamed() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        assertThat(NumericsRun.run(List.of(Right.class.getName()), out)).isZero();
        assertThat(NumericsRun.run(List.of(Right.class.getName(), Wrong.class.getName()), out))
                .isEqualTo(1);
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "1 tests passed, 0 failed, 0 skipped",
                        "sum(): java.lang.IllegalStateException: 1 + 1 is 3",
                        "1 tests passed, 1 failed, 0 skipped");
    }

    /** A test for this test; its name keeps it out of the usual run. */
    static final class Right {
        @Test
        void sum() {
            assertThat(1 + 1).isEqualTo(2);
        }
    }

    /** As {@link Right}. */
    static final class Wrong {
        @Test
        void sum() {
            throw new IllegalStateException("1 + 1 is 3");
        }
    }

    private String python(String script) throws IOException {
        Path file = temp.resolve("python");
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file.toString();
    }
}
