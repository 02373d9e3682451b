package io.cutwater.deploy.faults;

import io.cutwater.deploy.cli.Cutwater;
import io.cutwater.deploy.faults.plan.Fault;
import io.cutwater.deploy.faults.plan.RunPlan;
import io.cutwater.deploy.faults.process.CampaignCluster;
import io.cutwater.deploy.faults.process.SupervisedProcess;
import io.cutwater.testkit.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A coordinator and a worker that train on the shards of a run while it goes on, each started again when it has ended.
 * They follow the graph, so the last round is on all of it.
 */
final class Training {
    private static final int CLASSES = 3;
    private static final String ROUNDS = "rounds.csv";

    private final CampaignCluster cluster;
    private final RunPlan plan;
    private final String prefix;
    private final Path out;
    private final Map<String, SupervisedProcess> processes = new LinkedHashMap<>();

    Training(CampaignCluster cluster, RunPlan plan, String prefix) {
        this.cluster = cluster;
        this.plan = plan;
        this.prefix = prefix;
        out = cluster.folder().resolve("model-" + plan.seed());
    }

    /** Ingests features and labels of all vertices and starts both processes, if the plan has a training. */
    void start(RunGraph graph) throws IOException {
        if (!plan.trains()) {
            return;
        }
        Path vertices = out.resolveSibling("vertices-%d.csv".formatted(plan.seed()));
        write(graph, vertices);
        CommandRun ingest = CommandRun.of(
                Cutwater::run,
                "ingest",
                "--vertices",
                vertices.toString(),
                "--bootstrap-servers",
                cluster.servers(),
                "--topic-prefix",
                prefix);
        cluster.log(ingest.toString());
        if (!ingest.succeeded()) {
            throw new IOException(ingest.toString());
        }
        processes.put(Fault.WORKER, new SupervisedProcess(cluster, Fault.WORKER, words(Fault.WORKER)));
        List<String> words = words(Fault.COORDINATOR);
        words.addAll(List.of("--out", out.toString(), "--worker-timeout", "5s", "--round-wait", "20s"));
        processes.put(Fault.COORDINATOR, new SupervisedProcess(cluster, Fault.COORDINATOR, words, "--resume"));
    }

    private List<String> words(String role) {
        return new ArrayList<>(List.of(
                ("train --topic shards --follow --epochs 1 --hidden 4 --classes %d --role %s".formatted(CLASSES, role)
                                + " --bootstrap-servers %s --topic-prefix %s --scratch %s --progress lines"
                                        .formatted(cluster.servers(), prefix, cluster.folder()))
                        .split(" ", -1)));
    }

    private void write(RunGraph graph, Path file) throws IOException {
        SplittableRandom random = new SplittableRandom(plan.seed() + 3);
        List<String> lines = new ArrayList<>(List.of("id,f0,f1,label,split"));
        graph.all().keySet().stream()
                .flatMap(edge -> List.of(edge.source(), edge.target()).stream())
                .distinct()
                .sorted()
                .forEach(vertex -> lines.add("%d,%d,%d,%d,%s"
                        .formatted(
                                vertex,
                                random.nextInt(3),
                                random.nextInt(3),
                                random.nextInt(CLASSES),
                                random.nextBoolean() ? "train" : "test")));
        Files.write(file, lines);
    }

    /** Starts what has failed again. */
    void tend() throws IOException {
        for (SupervisedProcess process : processes.values()) {
            process.tend();
        }
    }

    /** Sends a signal to {@link #Fault.COORDINATOR} or {@link #Fault.WORKER}, if it runs. */
    void signal(String name, String signal) throws IOException, InterruptedException {
        SupervisedProcess process = processes.get(name);
        if (process != null) {
            process.signal(signal);
        }
    }

    /**
     * Compares the last round with the shards.
     *
     * @param edges of all shards together
     * @return what is wrong; empty if the last round was on all shards and all edges, or if the plan has no training
     */
    String behind(long edges) throws IOException {
        if (!plan.trains()) {
            return "";
        }
        Path rounds = out.resolve(ROUNDS);
        List<String> lines = Files.exists(rounds) ? Files.readAllLines(rounds) : List.of();
        if (lines.size() < 2) {
            return "the training has made no round";
        }
        List<String> names = List.of(lines.get(0).split(",", -1));
        String last = lines.get(lines.size() - 1);
        List<String> fields = List.of(last.split(",", -1));
        return fields.size() == names.size()
                        && fields.get(names.indexOf("shardsMissing")).equals("0")
                        && fields.get(names.indexOf("edges")).equals(Long.toString(edges))
                ? ""
                : "the training is not on all %d edges of the shards; its last round is %s".formatted(edges, last);
    }

    void close() {
        processes.values().forEach(SupervisedProcess::close);
    }
}
