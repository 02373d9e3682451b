package io.cutwater.deploy.cli.topic;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.EdgeFileOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cli.option.KafkaOptions;
import io.cutwater.deploy.input.EdgesOfFiles;
import io.cutwater.deploy.input.InputRequest;
import io.cutwater.deploy.view.Progress;
import io.cutwater.kafka.replay.ShardCheck;
import io.cutwater.kafka.replay.ShardCheck.Findings;
import io.cutwater.state.text.Counted;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks the shards of a topic for lost and duplicate edges. */
@Command(
        name = "check",
        sortOptions = false,
        description = {
            "Checks all committed shards for lost and duplicate edges, and against edge files if given.",
            "The exit code is 1 if there are any."
        },
        footer = {"", "Example: cutwater shard check --bootstrap-servers localhost:9092 --edges graph.txt.gz"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
final class ShardCheckCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private EdgeFileOptions edges;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        InputRequest.Files input = edges.read();
        Progress.Display display = common.display(spec.commandLine().getErr());
        ShardCheck check;
        Findings findings;
        Optional<String> problem;
        try (Progress progress = display.begin("check shards")) {
            check = new ShardCheck(
                    kafka.bootstrapServers("shard"),
                    kafka.client(),
                    kafka.topics().shards(),
                    (changes, share) -> progress.update(changes, share, ""));
            findings = check.readOn();
            problem = findings.problem();
        }
        if (problem.isEmpty() && input != null) {
            try (Progress progress = display.begin("read edges")) {
                problem = check.differenceFrom(EdgesOfFiles.count(input, progress));
            }
        }
        print(findings, check.shards().size(), problem);
        return problem.isEmpty() ? 0 : ExitCode.SOFTWARE;
    }

    private void print(Findings findings, int shards, Optional<String> problem) {
        PrintWriter out = spec.commandLine().getOut();
        if (common.isJson()) {
            ObjectNode document = JsonText.object()
                    .put("topic", kafka.topics().shards())
                    .put("shards", shards)
                    .put("generation", findings.generation())
                    .put("edges", findings.edges())
                    .put("lost", findings.lost())
                    .put("doubled", findings.doubled());
            ObjectNode offsets = document.putObject("offsets");
            findings.offsets().forEach((topicPartition, offset) -> offsets.put(topicPartition.toString(), offset));
            problem.ifPresent(sentence -> document.put("problem", sentence));
            JsonText.print(out, document);
        } else if (problem.isEmpty()) {
            out.println("%s, generation %d: each of %s is in its shard, once"
                    .formatted(
                            Counted.of(shards, "shard"), findings.generation(), Counted.of(findings.edges(), "edge")));
        }
        out.flush();
        problem.ifPresent(sentence -> spec.commandLine().getErr().println("cutwater: " + sentence));
    }
}
