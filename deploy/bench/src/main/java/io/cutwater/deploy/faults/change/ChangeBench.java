package io.cutwater.deploy.faults.change;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Edges from PostgreSQL by Debezium, while processes die; {@code deploy/bench/run cdc}. */
public final class ChangeBench {
    /** System property with the class path of Debezium's engine. */
    public static final String FEED = "cutwater.debezium";

    /** System property with the folder of Apicurio's registry. */
    static final String REGISTRY = "cutwater.registry";

    private static final int DEFAULT_CHANGES = 100_000;
    public static final String HEADER =
            "| case | changes of rows | records | kills of the job | of Debezium | edges | s | changes/s | shards = table |"
                    + "\n|---|---|---|---|---|---|---|---|---|";

    private ChangeBench() {}

    /** Returns why no case can run on this machine; null if they can. */
    public static @Nullable String obstacle() throws IOException {
        return PostgresServer.programs().isEmpty() ? "PostgreSQL is not installed (package postgresql)" : null;
    }

    /**
     * Runs cases and prints a table.
     *
     * @param words number of changes, and part of the names of the cases; each may be missing
     * @return the exit code: 0 if the shards of all cases are equal to the table
     */
    public static int run(List<String> words, PrintStream out) throws IOException, InterruptedException {
        String obstacle = obstacle();
        if (obstacle != null) {
            out.println("skipped: " + obstacle);
            return 0;
        }
        int changes = words.isEmpty() ? DEFAULT_CHANGES : Integer.parseInt(words.get(0));
        String name = words.size() > 1 ? words.get(1) : "";
        List<ChangeCase> cases = ChangeCase.all().stream()
                .filter(one -> one.name().contains(name))
                .toList();
        boolean isExact = true;
        out.println(HEADER);
        try (ChangeSite site = new ChangeSite()) {
            for (ChangeCase one : cases) {
                isExact &= site.run(one, changes, out).isEmpty();
            }
        }
        return isExact ? 0 : 1;
    }
}
