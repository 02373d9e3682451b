package io.cutwater.deploy.cli.training;

import io.cutwater.deploy.cli.converter.DurationConverter;
import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.KafkaOptions;
import io.cutwater.trainer.averaging.AverageEvery;
import io.cutwater.trainer.launch.TrainingMode;
import io.cutwater.trainer.launch.TrainingTopics;
import io.cutwater.trainer.mesh.MeshOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The role of this process in a training of several processes. */
@Heading("Distributed training")
@SuppressWarnings("NullAway.Init") // picocli sets options
final class RoleOptions {
    /** The role of a process in distributed training. */
    enum Role {
        COORDINATOR,
        WORKER,
        SAMPLER
    }

    /** The way of gradients and rows between workers. */
    enum Transport {
        MESH,
        TOPICS
    }

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--role",
            paramLabel = "coordinator|worker|sampler",
            description =
                    "Role of this process in distributed training; a sampler makes mini-batches for workers. Default: it trains alone")
    @Nullable Role role;

    @Option(
            names = "--sampler-processes",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Sync, of coordinator and workers: samplers make the mini-batches; the coordinator waits for N. Default: ${DEFAULT-VALUE}, workers make them")
    private int samplerProcesses;

    @Option(
            names = "--worker-timeout",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description =
                    "With --role: silence after which a worker is given up and its shards are reassigned. Default: ${DEFAULT-VALUE}")
    private Duration workerTimeout;

    @Option(
            names = "--transport",
            paramLabel = "mesh|topics",
            defaultValue = "topics",
            description =
                    "With --role: mesh connects the processes directly, for models, --average-every gradients and --mode sync or full-graph. Default: ${DEFAULT-VALUE}")
    private Transport transport;

    @Option(
            names = "--mesh-address",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:0",
            description =
                    "With --transport mesh: address to listen on; port 0 for any free one. Default: ${DEFAULT-VALUE}")
    private String meshAddress;

    @Option(
            names = "--mesh-plaintext",
            description =
                    "Allow a --mesh-address of a network without TLS; TLS needs a key store in --kafka-properties.")
    private boolean allowsPlaintext;

    /** Returns whether this process works for a coordinator, as a worker or as a sampler. */
    boolean isWorker() {
        return role == Role.WORKER || isSampler();
    }

    boolean isSampler() {
        return role == Role.SAMPLER;
    }

    /**
     * Returns the number of samplers to wait for; 0 if workers make their mini-batches.
     *
     * @param isSync whether the mode is the one that has samplers
     */
    int samplerProcesses(boolean isSync) {
        if (isSampler() && !isSync) {
            throw wrong(
                    "--role sampler is for --mode sync, in which all shards take each step together; add --mode sync to all processes, or use --samplers N for threads of one process");
        }
        boolean isGiven = spec.commandLine().getParseResult().hasMatchedOption("--sampler-processes");
        if (isGiven && (role == null || isSampler())) {
            throw wrong("--sampler-processes is for --role coordinator or worker; leave it out");
        }
        if (isGiven && !isSync) {
            throw wrong(
                    "--sampler-processes is for --mode sync, in which all shards take each step together; add --mode sync to all processes, or leave it out");
        }
        return samplerProcesses;
    }

    /**
     * Returns the options of the direct connections; null without them.
     *
     * @param averageEvery how often to average
     * @param mode how shards work together
     */
    @Nullable MeshOptions mesh(KafkaOptions kafka, AverageEvery averageEvery, TrainingMode mode) {
        if (role == null && transport == Transport.MESH) {
            throw wrong("--transport mesh is for --role coordinator, worker or sampler; leave it out");
        }
        if (role != null && transport == Transport.TOPICS) {
            refuseTopics(averageEvery, mode);
        }
        if (role == null || transport == Transport.TOPICS) {
            refuseMeshAddress();
            return null;
        }
        try {
            return MeshOptions.of(meshAddress, allowsPlaintext, workerTimeout, kafka.client());
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns a name that no other process has or had: a restarted worker must not be taken for the one that died.
     *
     * @param mesh the options of the direct connections; null without them
     */
    String processName(@Nullable MeshOptions mesh) {
        return "%s-%s%s"
                .formatted(
                        mesh != null && mesh.usesTls() ? certifiedName(mesh) : hostName(),
                        isSampler() ? "sampler-" : isWorker() ? "" : "coordinator-",
                        UUID.randomUUID().toString().substring(0, 8));
    }

    private String certifiedName(MeshOptions mesh) {
        try {
            return mesh.certifiedName();
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "worker"; // only for display; the rest of the name is unique
        }
    }

    private void refuseTopics(AverageEvery averageEvery, TrainingMode mode) {
        String needs = averageEvery.isOfGradients() ? "--average-every gradients" : "";
        if (mode instanceof TrainingMode.FullGraph) {
            needs = "--mode full-graph";
        } else if (mode instanceof TrainingMode.Sync) {
            needs = "--mode sync";
        }
        if (!needs.isEmpty()) {
            throw wrong("%s needs direct connections; add --transport mesh to all processes".formatted(needs));
        }
    }

    private void refuseMeshAddress() {
        for (String option : List.of("--mesh-address", "--mesh-plaintext")) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw wrong("%s is for --role with --transport mesh; leave it out".formatted(option));
            }
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }

    /** The topics on which the processes talk; null if this process trains alone. */
    @Nullable TrainingTopics topics(KafkaOptions kafka) {
        if (role == null) {
            return null;
        }
        try {
            return new TrainingTopics(kafka.bootstrapServers("--role"), kafka.client(), kafka.topics(), workerTimeout);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }
}
