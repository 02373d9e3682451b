package io.cutwater.deploy.faults.change;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Table {@code payments} and seeded changes of it. */
final class Payments {
    private static final int ACCOUNTS = 5000;
    private static final int MAX_STATEMENTS = 40;

    private final Shape shape;
    private final SplittableRandom random;
    private final List<Row> rows = new ArrayList<>();
    private final Set<List<Integer>> pairs = new HashSet<>();
    private long ids;

    /**
     * The columns and the log of the table.
     *
     * @param hasIds whether the primary key is {@code id}; otherwise it is the payer and the payee
     * @param logsRows whether its replica identity is FULL; otherwise DEFAULT
     * @param hasText whether accounts are text
     */
    record Shape(boolean hasIds, boolean logsRows, boolean hasText) {
        String account(int account) {
            return hasText ? "'user:" + account + "'" : Integer.toString(account);
        }

        /** Returns the SQL that creates the table. */
        String sql() {
            String type = hasText ? "text" : "bigint";
            return """
                    DROP TABLE IF EXISTS payments;
                    CREATE TABLE payments (id bigint NOT NULL UNIQUE, payer %1$s NOT NULL, payee %1$s NOT NULL,
                        amount bigint NOT NULL, note text, PRIMARY KEY (%2$s));
                    ALTER TABLE payments REPLICA IDENTITY %3$s;
                    """.formatted(type, hasIds ? "id" : "payer, payee", logsRows ? "FULL" : "DEFAULT");
        }
    }

    private record Row(long id, int payer, int payee) {
        List<Integer> pair() {
            return List.of(payer, payee);
        }
    }

    Payments(Shape shape, long seed) {
        this.shape = shape;
        random = new SplittableRandom(seed);
    }

    /** Returns SQL, in transactions, that changes as many rows. */
    String changes(int count) {
        StringBuilder sql = new StringBuilder();
        int left = count;
        while (left > 0) {
            int statements = Math.min(left, 1 + random.nextInt(MAX_STATEMENTS));
            sql.append("BEGIN;\n");
            for (int i = 0; i < statements; i++) {
                sql.append(change());
            }
            sql.append("COMMIT;\n");
            left -= statements;
        }
        return sql.toString();
    }

    /** Returns SQL that removes all rows without a change of each. */
    String truncate() {
        rows.clear();
        pairs.clear();
        return "TRUNCATE payments;\n";
    }

    private String change() {
        int dice = random.nextInt(100);
        if (rows.isEmpty() || dice < 50) {
            Row row = draw(++ids);
            rows.add(row);
            return "INSERT INTO payments VALUES (%d, %s, %s, %d, 'n');\n"
                    .formatted(
                            row.id(), shape.account(row.payer()), shape.account(row.payee()), random.nextInt(1, 1000));
        }
        int at = random.nextInt(rows.size());
        Row old = rows.get(at);
        if (dice < 68) {
            Row row = draw(old.id());
            pairs.remove(old.pair());
            rows.set(at, row);
            return "UPDATE payments SET payer = %s, payee = %s WHERE id = %d;\n"
                    .formatted(shape.account(row.payer()), shape.account(row.payee()), old.id());
        }
        if (dice < 73) {
            return "UPDATE payments SET amount = amount + 1 WHERE id = %d;\n".formatted(old.id());
        }
        if (dice < 78) {
            return "UPDATE payments SET note = note || 'x' WHERE id = %d;\n".formatted(old.id());
        }
        if (dice < 80) {
            rows.set(at, new Row(++ids, old.payer(), old.payee()));
            return "UPDATE payments SET id = %d WHERE id = %d;\n".formatted(ids, old.id());
        }
        Row last = rows.remove(rows.size() - 1);
        if (at < rows.size()) {
            rows.set(at, last);
        }
        pairs.remove(old.pair());
        return "DELETE FROM payments WHERE id = %d;\n".formatted(old.id());
    }

    /** Returns a row whose ends no other has, if they are the primary key. */
    private Row draw(long id) {
        while (true) {
            Row row = new Row(id, random.nextInt(ACCOUNTS), random.nextInt(ACCOUNTS));
            if (shape.hasIds() || pairs.add(row.pair())) {
                return row;
            }
        }
    }
}
