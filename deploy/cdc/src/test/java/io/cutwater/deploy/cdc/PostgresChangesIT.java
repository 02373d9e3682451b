package io.cutwater.deploy.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cutwater.deploy.faults.change.ChangeBench;
import io.cutwater.deploy.faults.change.ChangeCase;
import io.cutwater.deploy.faults.change.ChangeSite;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The live job behind PostgreSQL and Debezium: the committed shards are the rows of the table. */
final class PostgresChangesIT {
    private static final int CHANGES = Integer.getInteger("cutwater.changes", 8000);

    private static ChangeSite site;

    @BeforeAll
    static void start() throws Exception {
        String obstacle = ChangeBench.obstacle();
        assumeTrue(obstacle == null, obstacle);
        System.out.println(ChangeBench.HEADER);
        site = new ChangeSite();
    }

    @AfterAll
    static void stop() throws Exception {
        if (site != null) {
            site.close();
        }
    }

    static Stream<ChangeCase> cases() {
        String name = System.getProperty("cutwater.case", "");
        return ChangeCase.all().stream().filter(one -> one.name().contains(name));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    @Timeout(400)
    void committedShardsAreEqualToTheTable(ChangeCase change) throws Exception {
        assertThat(site.run(change, CHANGES, System.out)).isEmpty();
    }
}
