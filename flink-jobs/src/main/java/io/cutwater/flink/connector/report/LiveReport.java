package io.cutwater.flink.connector.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * The latest report of a running job, in a file that is replaced atomically. The process that started an embedded job
 * follows it in this way.
 *
 * @param pass pass over the input that is running, from 0
 * @param progress as {@link JobQuality#progress()}
 */
public record LiveReport(RunReport report, int pass, long progress) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static LiveReport of(JobQuality quality, RunIdentity identity, double seconds) {
        RunReport report = new RunReport(
                        identity.algorithm(), identity.seed(), quality.quality(), seconds, PeakMemory.bytes())
                .withUnknownRemovals(quality.unknownRemovals());
        return new LiveReport(report, quality.pass(), quality.progress());
    }

    void write(Path file) throws IOException {
        ObjectNode json = JSON.createObjectNode();
        json.put("pass", pass);
        json.put("progress", progress);
        json.set("report", JSON.readTree(ReportJson.toBytes(report)));
        Path beside = file.resolveSibling(file.getFileName() + ".next");
        Files.write(beside, JSON.writeValueAsBytes(json));
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Reads the latest report; empty before the first one. */
    public static Optional<LiveReport> read(Path file) throws IOException {
        try {
            ObjectNode json = (ObjectNode) JSON.readTree(Files.readAllBytes(file));
            RunReport report = ReportJson.read(JSON.writeValueAsBytes(json.get("report")));
            return Optional.of(new LiveReport(
                    report, json.get("pass").intValue(), json.get("progress").longValue()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
