package io.cutwater.flink.client;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.jobmanager.JobManagerProcessSpec;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.apache.flink.runtime.util.config.memory.ProcessMemoryUtils;

/**
 * Memory of a process, divided as Flink computes it from a {@code config.yaml}. Without these arguments a process does
 * not start, or keeps to other limits than its peers assume. Flink's own start scripts make the same calls.
 *
 * @param jvm options of Java
 * @param settings arguments of the main class
 */
public record ProcessMemory(List<String> jvm, List<String> settings) {
    /**
     * Computes the memory of a JobManager.
     *
     * @param configFolder that holds {@code config.yaml}
     */
    public static ProcessMemory ofJobManager(Path configFolder) {
        Configuration configuration = GlobalConfiguration.loadConfiguration(configFolder.toString());
        JobManagerProcessSpec spec = JobManagerProcessUtils.processSpecFromConfig(configuration);
        return new ProcessMemory(
                words(JobManagerProcessUtils.generateJvmParametersStr(spec, configuration)),
                words(JobManagerProcessUtils.generateDynamicConfigsStr(spec)));
    }

    /**
     * Computes the memory of a TaskManager.
     *
     * @param configFolder that holds {@code config.yaml}
     */
    public static ProcessMemory ofTaskManager(Path configFolder) {
        Configuration configuration = GlobalConfiguration.loadConfiguration(configFolder.toString());
        TaskExecutorProcessSpec spec = TaskExecutorProcessUtils.processSpecFromConfig(configuration);
        return new ProcessMemory(
                words(ProcessMemoryUtils.generateJvmParametersStr(spec)),
                words(TaskExecutorProcessUtils.generateDynamicConfigsStr(spec)));
    }

    private static List<String> words(String line) {
        return Arrays.stream(line.strip().split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }
}
