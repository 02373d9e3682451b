package io.cutwater.flink.connector.bulk.work;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BulkStageTest {
    private final BulkStage stage = new BulkStage();
    private final List<Double> placed = new ArrayList<>();

    private void read(int times) {
        stage.begin(BulkStage.READING);
        for (int i = 1; i <= times; i++) {
            stage.read(i, (double) i / times);
            placed.add(stage.placed());
        }
    }

    private void pass(String name) {
        for (int i = 0; i <= 10; i++) {
            stage.passed(name, i / 10.0);
            placed.add(stage.placed());
        }
    }

    @Test
    void readingCountsByItsPartAndEachPassByAPartOfTheRest() {
        read(3);
        assertThat(placed).containsExactly(0.3 / 3, 0.3 * 2 / 3, 0.3);

        stage.passed("number vertices", 0.5);
        assertThat(stage.placed()).isEqualTo(0.3 + 0.7 / 16);
        stage.passed("group neighbours", 0);
        assertThat(stage.placed()).isEqualTo(0.3 + 0.7 / 8);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 15, 40})
    void progressGrowsWithEveryPassAndIsWholeWhenEdgesAreEmitted(int passes) {
        read(4);
        pass("number vertices");
        for (int i = 1; i <= passes; i++) {
            double before = stage.placed();
            pass("pass %d, edges".formatted(i));
            assertThat(stage.placed()).isBetween(before, 1.0).isGreaterThan(before);
        }
        assertThat(placed).isSorted().last().satisfies(last -> assertThat(last).isLessThan(1));

        stage.begin(BulkStage.EMITTING);
        assertThat(stage.placed()).isEqualTo(1);
        stage.begin(BulkStage.DONE);
        assertThat(stage.placed()).isEqualTo(1);
    }

    @Test
    void whatIsReadAgainNeverTakesProgressBack() {
        read(2);
        read(4); // a topic with removals, in the same stage
        pass("find what is left");
        read(4);
        pass("number vertices");
        assertThat(placed).isSorted();
        assertThat(stage.placed()).isLessThan(0.7);
    }
}
