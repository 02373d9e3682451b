package io.cutwater.deploy.local;

import io.cutwater.deploy.input.InputRequest;
import io.cutwater.flink.job.JobFailedException;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.run.BoundedRunMark;
import io.cutwater.kafka.topic.BrokerException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The mark on a run's topics that tells readers whether the run is complete; nothing without topics. */
final class Published {
    private final @Nullable BoundedRunMark mark;

    /** The work that writes the topics. */
    interface Work {
        RunReport run() throws IOException, JobFailedException, InterruptedException;
    }

    /** @param topics null for none */
    Published(InputRequest.@Nullable Topic topics) {
        mark = topics == null ? null : BoundedOutput.mark(topics);
    }

    /** Does the work, and marks the topics as those of a failed run if it fails. */
    RunReport whole(Work work) throws IOException, JobFailedException, InterruptedException {
        try {
            return work.run();
        } catch (IOException | JobFailedException | RuntimeException e) {
            try {
                fail("its job ended with an error");
            } catch (BrokerException notMarked) {
                e.addSuppressed(notMarked);
            }
            throw e;
        }
    }

    /** @param reason why the shards are not complete, as a clause */
    void fail(String reason) {
        if (mark != null) {
            mark.fail(reason);
        }
    }

    void complete() {
        if (mark != null) {
            mark.complete();
        }
    }
}
