package io.cutwater.deploy.cli.training.progress;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.option.JsonText;
import io.cutwater.format.VertexSplit;
import io.cutwater.state.text.Counted;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.Traffic;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * The result of a training for users.
 *
 * @param model name of the kind of network
 */
public record TrainingSummary(String model, long seed, TrainingResult result) {
    /** Returns the result as JSON; accuracies without a vertex are left out. */
    public ObjectNode json() {
        ObjectNode json = JsonText.object();
        json.put("model", model)
                .put("seed", seed)
                .put("epochs", result.epochs())
                .put("bestEpoch", result.bestEpoch())
                .put("rounds", result.rounds());
        putAccuracy(json, "trainAccuracy", VertexSplit.TRAIN);
        putAccuracy(json, "validationAccuracy", VertexSplit.VAL);
        putAccuracy(json, "testAccuracy", VertexSplit.TEST);
        json.put("secondsPerEpoch", result.secondsPerEpoch()).put("bytesAveraged", result.bytesAveraged());
        Traffic traffic = result.traffic();
        if (!traffic.equals(Traffic.NONE)) {
            json.put("forwardBytesSent", traffic.forwardSent())
                    .put("forwardBytesAvoided", traffic.forwardAvoided())
                    .put("backwardBytesSent", traffic.backwardSent())
                    .put("backwardBytesAvoided", traffic.backwardAvoided())
                    .put("otherBytesSent", traffic.otherSent());
        }
        if (traffic.batchSent() > 0) {
            json.put("batchBytesSent", traffic.batchSent()).put("batchBytesAvoided", traffic.batchAvoided());
        }
        if (traffic.mapped() > 0) {
            json.put("bytesMapped", traffic.mapped());
        }
        Locality locality = result.locality();
        if (locality.rows() > 0) {
            json.put("localSeeds", locality.seedShare()).put("localRows", locality.rowShare());
        }
        return json;
    }

    private void putAccuracy(ObjectNode json, String key, VertexSplit split) {
        if (result.counts().total(split) > 0) {
            json.put(key, result.counts().accuracy(split));
        }
    }

    /** Prints a table; accuracies without a vertex are left out. */
    public void print(PrintWriter to) {
        row(to, "model", "%s, seed %d", model, seed);
        row(
                to,
                "epochs",
                "%,d in %s; the best model is that of epoch %,d",
                result.epochs(),
                Counted.of(result.rounds(), "round"),
                result.bestEpoch());
        for (VertexSplit of : new VertexSplit[] {VertexSplit.TRAIN, VertexSplit.VAL, VertexSplit.TEST}) {
            if (result.counts().total(of) > 0) {
                String name = (of == VertexSplit.VAL ? "validation" : of.label()) + " accuracy";
                row(
                        to,
                        name,
                        "%.4f  of %s",
                        result.counts().accuracy(of),
                        Counted.of(result.counts().total(of), "vertex"));
            }
        }
        row(to, "time", "%.3f s per epoch", result.secondsPerEpoch());
        Traffic traffic = result.traffic();
        Locality locality = result.locality();
        if (locality.rows() > 0) {
            row(to, "gradients sent", "%,d bytes", result.bytesAveraged());
            row(to, "read from others", "%,d bytes, %,d avoided", traffic.forwardSent(), traffic.forwardAvoided());
            if (traffic.mapped() > 0) {
                row(to, "read in files", "%,d bytes, of other processes on the same host", traffic.mapped());
            }
            row(to, "read by tests", "%,d bytes", traffic.otherSent());
            row(
                    to,
                    "local",
                    "%.1f %% of training vertices, %.1f %% of rows",
                    100 * locality.seedShare(),
                    100 * locality.rowShare());
        } else if (traffic.equals(Traffic.NONE)) {
            row(to, "models sent", "%,d bytes, both ways", result.bytesAveraged());
        } else {
            row(to, "rows forward", "%,d bytes sent, %,d avoided", traffic.forwardSent(), traffic.forwardAvoided());
            row(to, "rows backward", "%,d bytes sent, %,d avoided", traffic.backwardSent(), traffic.backwardAvoided());
            row(to, "other frames", "%,d bytes: sums of gradients, and tests", traffic.otherSent());
        }
        to.flush();
    }

    private static void row(PrintWriter out, String name, String format, Object... values) {
        out.printf(Locale.ROOT, "%-20s %s%n", name, String.format(Locale.ROOT, format, values));
    }
}
