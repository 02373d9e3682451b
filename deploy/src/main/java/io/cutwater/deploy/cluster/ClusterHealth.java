package io.cutwater.deploy.cluster;

import io.cutwater.deploy.cluster.ClusterStatus.ProcessStatus;
import io.cutwater.deploy.cluster.rest.FlinkRest;
import io.cutwater.kafka.topic.BrokerException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Asks the processes of a local cluster whether they work. */
final class ClusterHealth {
    private static final int ANSWER_MILLIS = 5_000;

    private final ClusterSettings settings;
    private final ClusterFolder folder;
    private final FlinkRest flink;

    ClusterHealth(ClusterSettings settings, ClusterFolder folder) throws IOException {
        this.settings = settings;
        this.folder = folder;
        flink = new FlinkRest(settings.flink(folder.root()), ClusterSettings.credentials(folder.root()));
    }

    ClusterStatus of(List<ClusterProcess> processes) {
        List<ProcessStatus> states = new ArrayList<>();
        for (ClusterProcess process : processes) {
            ProcessHandle handle = process.running();
            if (handle == null) {
                states.add(new ProcessStatus(process.name(), 0, false, "does not run"));
            } else {
                states.add(answer(process, handle.pid()));
            }
        }
        return new ClusterStatus(settings, states);
    }

    private String metrics(String process) {
        OptionalInt port = settings.metricsPort(process);
        return port.isPresent()
                ? ", metrics at http://%s:%d/metrics".formatted(LocalCluster.LOOPBACK, port.getAsInt())
                : "";
    }

    private ProcessStatus answer(ClusterProcess process, long pid) {
        String name = process.name();
        try {
            if (name.equals(LocalCluster.BROKER)) {
                OwnBroker.require(settings, folder);
                return new ProcessStatus(name, pid, true, "answers at " + settings.bootstrapServers());
            }
            if (name.equals(LocalCluster.PROMETHEUS)) {
                HttpURLConnection ready = (HttpURLConnection)
                        URI.create(settings.prometheus() + "/-/ready").toURL().openConnection();
                ready.setConnectTimeout(ANSWER_MILLIS);
                ready.setReadTimeout(ANSWER_MILLIS);
                boolean isReady = ready.getResponseCode() == HttpURLConnection.HTTP_OK;
                return new ProcessStatus(
                        name, pid, isReady, isReady ? "answers at " + settings.prometheus() : "is not ready yet");
            }
            if (name.equals(LocalCluster.JOB_MANAGER)) {
                flink.checkLeads();
                String version = flink.version();
                return new ProcessStatus(
                        name,
                        pid,
                        true,
                        "answers at %s, Flink %s".formatted(settings.flink(), version) + metrics(name));
            }
            boolean isRegistered = flink.taskManagers().contains(process.identity());
            return new ProcessStatus(
                    name,
                    pid,
                    isRegistered,
                    (isRegistered ? "is registered" : "is not registered at the JobManager") + metrics(name));
        } catch (BrokerException | IOException e) {
            String said = e.getMessage();
            return new ProcessStatus(name, pid, false, said == null ? "does not answer" : said);
        }
    }
}
