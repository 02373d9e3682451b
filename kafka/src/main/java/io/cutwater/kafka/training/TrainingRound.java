package io.cutwater.kafka.training;

/**
 * The result of the rounds between two tests of a training: a record of topic {@code training-rounds}. Losses and
 * accuracies are NaN if there is no vertex to count.
 *
 * @param run random id of the training
 * @param model name of the kind of network
 * @param mode how shards work together, with the rule of stale rows; empty if each trains alone, or if an earlier build
 *     wrote the record
 * @param round number of the last round, from 1
 * @param epochs number of epochs done so far
 * @param loss mean loss of the training vertices
 * @param validationLoss mean loss of the validation vertices
 * @param trainAccuracy 0 to 1, like the other accuracies
 * @param seconds duration of the rounds, with their test
 * @param waitingShare share of the training time spent waiting for mini-batches and for other shards, 0 to 1; NaN if an
 *     earlier build wrote the record
 * @param bytesAveraged bytes of models sent so far, both ways
 * @param bytesExchanged bytes of rows and mini-batches that workers sent to each other since the test before; 0 if an
 *     earlier build wrote the record
 * @param workers number of workers; 0 if an earlier build wrote the record
 * @param missing number of shards without a part in the average
 * @param shards number of shards
 * @param vertices vertices of the shards that answered
 * @param edges edges of the shards that answered, counted in each shard
 */
public record TrainingRound(
        String run,
        String model,
        String mode,
        int round,
        int epochs,
        double loss,
        double validationLoss,
        double trainAccuracy,
        double validationAccuracy,
        double testAccuracy,
        double seconds,
        double waitingShare,
        long bytesAveraged,
        long bytesExchanged,
        int workers,
        int missing,
        int shards,
        long vertices,
        long edges) {}
