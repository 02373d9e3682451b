package io.cutwater.trainer.fullgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ProductsTest {
    @Test
    void aMatrixThatIsTooLargeIsRefused() {
        assertThat(Products.zeros(3, 4)).hasSize(12).containsOnly(0);
        assertThatIllegalStateException()
                .isThrownBy(() -> Products.zeros(1 << 24, 1 << 8)) // 2^32, which as an int is 0
                .withMessageContaining("16,777,216 vertices with 256 numbers each")
                .withMessageContaining("use more partitions");
    }

    @Test
    void aCombinationOfRowsIsTheSumOfTheRows() {
        SplittableRandom random = new SplittableRandom(1);
        float[] matrix = new float[7 * 5];
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = (float) random.nextDouble(-1, 1);
        }
        for (int count = 0; count < 11; count++) {
            float[] factors = new float[count + 2];
            int[] which = new int[count + 2];
            double[] expected = {1, 1, 1, 1, 1};
            for (int i = 1; i <= count; i++) {
                factors[i] = (float) random.nextDouble(-1, 1);
                which[i] = random.nextInt(7);
                for (int column = 0; column < expected.length; column++) {
                    expected[column] += (double) factors[i] * matrix[which[i] * 5 + column];
                }
            }
            float[] sum = {1, 1, 1, 1, 1};
            Products.addCombination(factors, which, 1, count + 1, Products.rows(matrix, 7, 5), sum);
            for (int column = 0; column < expected.length; column++) {
                assertThat((double) sum[column]).isCloseTo(expected[column], within(1e-5));
            }
        }
    }
}
