package io.cutwater.deploy.sql;

import io.cutwater.state.graph.EdgeBatch;
import java.math.BigDecimal;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A row of table payments; a null is a missing value. */
record PaymentRow(Long payer, Long payee, BigDecimal amount, Long bookedAt, String status) {
    private static final List<String> STATES = List.of("booked", "booked", "pending", "cancelled");

    static List<PaymentRow> random(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, count)
                .mapToObj(i -> new PaymentRow(
                        random.nextInt(50) == 0 ? null : id(random),
                        random.nextInt(50) == 0 ? null : id(random),
                        random.nextInt(9) == 0 ? null : BigDecimal.valueOf(random.nextInt(1_000_000), 2),
                        random.nextInt(9) == 0 ? null : 1_760_000_000_000L + i,
                        STATES.get(random.nextInt(STATES.size()))))
                .toList();
    }

    /** Also negative ones, and more than a double holds exactly. */
    private static long id(SplittableRandom random) {
        return (random.nextInt(20) - 10) * (Long.MAX_VALUE / 10) + random.nextInt(2);
    }

    boolean isEdge() {
        return payer != null && payee != null && !status.equals("pending");
    }

    String json() {
        return "{\"payer\":%s,\"payee\":%s,\"amount\":%s,\"booked_at\":%s,\"status\":\"%s\"}"
                .formatted(payer, payee, amount, bookedAt, status);
    }

    String ends() {
        return payer + " " + payee;
    }

    String event() {
        return event(
                status.equals("cancelled"),
                amount == null ? Double.NaN : amount.doubleValue(),
                bookedAt == null ? EdgeBatch.NO_TIMESTAMP : bookedAt);
    }

    static String event(boolean isRemoval, double weight, long timestamp) {
        return (isRemoval ? "remove " : "add ") + weight + " " + timestamp;
    }
}
