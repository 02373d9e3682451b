package io.cutwater.deploy.cli.live;

import io.cutwater.state.repartition.live.PlanState;
import io.cutwater.state.repartition.live.RepartitionStatus;
import io.cutwater.state.text.Counted;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/** Prints the result of a re-partitioning. */
public final class RepartitionText {
    private RepartitionText() {}

    public static void print(PrintWriter out, RepartitionStatus end) {
        out.printf(
                Locale.ROOT,
                "%s: %s after %.1f s, generation %d%n",
                end.id(),
                end.state().label(),
                end.seconds(),
                end.generation());
        if (end.edges() > 0) {
            out.printf(
                    Locale.ROOT,
                    "%d to %s, %s: %,d to move, %,d moved%n",
                    end.partitionsBefore(),
                    Counted.of(end.partitions(), "partition"),
                    Counted.of(end.edges(), "edge"),
                    end.edgesToMove(),
                    end.edgesMoved());
        }
        if (end.state() == PlanState.PLANNED) {
            printRatios(out, end.before(), end.expected(), "would be");
        } else {
            printRatios(out, end.before(), end.after(), "is now");
        }
        out.flush();
    }

    private static void printRatios(
            PrintWriter out, Map<String, Double> before, Map<String, Double> then, String verb) {
        for (String name : new TreeSet<>(then.keySet())) {
            if (before.containsKey(name)) {
                out.printf(Locale.ROOT, "%s was %.4f, %s %.4f%n", name, before.get(name), verb, then.get(name));
            }
        }
    }
}
