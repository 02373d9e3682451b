package io.cutwater.deploy.cli.live;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.option.CommonOptions;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.deploy.cli.option.KafkaOptions;
import io.cutwater.deploy.cluster.ClusterSettings;
import io.cutwater.deploy.doctor.BrokerChecks;
import io.cutwater.deploy.doctor.Finding;
import io.cutwater.deploy.doctor.FlinkChecks;
import io.cutwater.deploy.doctor.MachineChecks;
import io.cutwater.deploy.doctor.TrainingChecks;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks what Cutwater needs, and says what to change. */
@Command(
        name = "doctor",
        sortOptions = false,
        description = {
            "Checks this machine, the Kafka brokers and the Flink cluster, and says what to change.",
            "Without options it checks the local cluster if there is one. The exit code is 1 if a check fails."
        },
        footer = {"", "Example: cutwater doctor --bootstrap-servers localhost:9092 --flink localhost:8081"})
@SuppressWarnings("NullAway.Init") // picocli sets mixins
public final class DoctorCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private FlinkOptions flink;

    @Mixin
    private CommonOptions common;

    @Override
    public Integer call() throws Exception {
        ClusterSettings local = flink.local();
        List<Finding> findings = new ArrayList<>(MachineChecks.all());
        findings.addAll(TrainingChecks.all());
        String given = kafka.bootstrapServers();
        String bootstrapServers = given != null || local == null ? given : local.bootstrapServers();
        if (bootstrapServers != null) {
            findings.addAll(BrokerChecks.all(bootstrapServers, kafka.client(), kafka.topics()));
        }
        if (local != null || flink.isGiven()) {
            findings.addAll(FlinkChecks.all(flink.jobs()));
        }
        if (local == null) {
            findings.addAll(MachineChecks.ports(ClusterSettings.DEFAULT));
        }
        print(findings);
        return findings.stream().anyMatch(finding -> finding.state() == Finding.State.FAILED) ? ExitCode.SOFTWARE : 0;
    }

    private void print(List<Finding> findings) {
        PrintWriter out = spec.commandLine().getOut();
        if (common.isJson()) {
            ObjectNode document = JsonText.object();
            ArrayNode entries = document.putArray("checks");
            for (Finding finding : findings) {
                ObjectNode entry = entries.addObject()
                        .put("check", finding.check())
                        .put("state", finding.state().name().toLowerCase(Locale.ROOT))
                        .put("text", finding.text());
                if (!finding.advice().isEmpty()) {
                    entry.put("advice", finding.advice());
                }
            }
            JsonText.print(out, document);
            return;
        }
        for (Finding finding : findings) {
            out.println("%-8s %-9s %s"
                    .formatted(finding.state().name().toLowerCase(Locale.ROOT), finding.check(), finding.text()));
            if (!finding.advice().isEmpty()) {
                out.println(" ".repeat(19) + finding.advice());
            }
        }
        out.flush();
    }
}
