package io.cutwater.trainer.averaging;

import io.cutwater.trainer.training.EpochReport;
import io.cutwater.trainer.training.LocalUpdate;
import io.cutwater.trainer.training.ShardSize;
import java.util.List;

/**
 * What all shards did.
 *
 * @param size of all shards together
 * @param longestEpoch most mini-batches that a shard has in an epoch; 0 if none has any
 */
record Trained(EpochReport report, ShardSize size, int longestEpoch) {
    static Trained of(List<LocalUpdate> updates) {
        Trained all = new Trained(EpochReport.nothing(), ShardSize.NOTHING, 0);
        for (LocalUpdate update : updates) {
            all = new Trained(
                    update.examples() > 0 ? all.report.plus(update.report()) : all.report,
                    all.size.plus(update.size()),
                    Math.max(all.longestEpoch, update.epochBatches()));
        }
        return all;
    }

    /** With the next round of the same epoch. */
    Trained then(Trained next) {
        return new Trained(report.plus(next.report), size, Math.max(longestEpoch, next.longestEpoch));
    }

    boolean isNothing() {
        return longestEpoch == 0;
    }
}
