package io.cutwater.trainer.fullgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
}
