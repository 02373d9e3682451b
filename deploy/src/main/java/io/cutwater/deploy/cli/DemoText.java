package io.cutwater.deploy.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.cli.live.RepartitionText;
import io.cutwater.deploy.cli.quality.ReportText;
import io.cutwater.deploy.demo.DemoResult;
import io.cutwater.deploy.demo.Learned;
import io.cutwater.format.VertexSplit;
import io.cutwater.format.json.ReportJson;
import io.cutwater.kafka.command.RepartitionStatusJson;
import io.cutwater.state.text.Counted;
import io.cutwater.trainer.progress.TrainingResult;
import io.cutwater.trainer.round.AccuracyCounts;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints the result of the demonstration as text or as JSON. */
final class DemoText {
    private DemoText() {}

    static void print(PrintWriter out, String model, DemoResult result) {
        ReportText.print(out, result.report(), false);
        out.println();
        RepartitionText.print(out, result.plan());
        TrainingResult live = result.live().result();
        out.printf(
                Locale.ROOT,
                "%n%s                trained on live shards   on the whole graph%n",
                String.format(Locale.ROOT, "%-10s", model));
        row(out, "test accuracy", result, VertexSplit.TEST);
        row(out, "validation accuracy", result, VertexSplit.VAL);
        row(out, "train accuracy", result, VertexSplit.TRAIN);
        out.printf(
                Locale.ROOT,
                "%-27s%22.3f %20.3f%n",
                "seconds per epoch",
                result.live().secondsPerEpoch(),
                result.centralised().secondsPerEpoch());
        out.printf(
                Locale.ROOT,
                "%d epochs each; %,d bytes of models went between shards; %s tested%n",
                live.epochs(),
                live.bytesAveraged(),
                Counted.of(live.counts().total(VertexSplit.TEST), "vertex"));
        out.flush();
    }

    private static void row(PrintWriter out, String name, DemoResult result, VertexSplit split) {
        out.printf(
                Locale.ROOT,
                "%-27s%22.4f %20.4f%n",
                name,
                counts(result.live()).accuracy(split),
                counts(result.centralised()).accuracy(split));
    }

    private static AccuracyCounts counts(Learned learned) {
        return learned.result().counts();
    }

    /** The keys of the report and of {@code train}, and those of the demonstration. */
    static ObjectNode json(String model, DemoResult result) {
        ObjectNode json = ReportJson.tree(result.report());
        json.set("repartition", RepartitionStatusJson.tree(result.plan()));
        TrainingResult live = result.live().result();
        json.put("model", model).put("epochs", live.epochs()).put("rounds", live.rounds());
        putAccuracies(json, "train", "validation", "test", result.live());
        json.put("secondsPerEpoch", result.live().secondsPerEpoch()).put("bytesAveraged", live.bytesAveraged());
        putAccuracies(json, "centralisedTrain", "centralisedValidation", "centralisedTest", result.centralised());
        return json.put("centralisedSecondsPerEpoch", result.centralised().secondsPerEpoch());
    }

    private static void putAccuracies(ObjectNode json, String train, String validation, String test, Learned learned) {
        put(json, train, learned, VertexSplit.TRAIN);
        put(json, validation, learned, VertexSplit.VAL);
        put(json, test, learned, VertexSplit.TEST);
    }

    /** A share of zero vertices is NaN, which JSON does not have. */
    private static void put(ObjectNode json, String name, Learned learned, VertexSplit split) {
        if (counts(learned).total(split) > 0) {
            json.put(name + "Accuracy", counts(learned).accuracy(split));
        }
    }
}
