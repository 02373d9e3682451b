package io.cutwater.trainer.averaging;

import io.cutwater.trainer.round.EpochReport;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.ShardSize;
import java.util.List;

/**
 * The combined work of all shards in a round.
 *
 * @param size total size of all shards
 * @param longestEpoch largest number of mini-batches of a shard in an epoch; 0 if no shard has any
 */
record RoundResult(EpochReport report, ShardSize size, int longestEpoch) {
    static RoundResult of(List<LocalUpdate> updates) {
        RoundResult all = new RoundResult(EpochReport.nothing(), ShardSize.NOTHING, 0);
        for (LocalUpdate update : updates) {
            all = new RoundResult(
                    all.report.plus(update.report()),
                    all.size.plus(update.size()),
                    Math.max(all.longestEpoch, update.epochBatches()));
        }
        return all;
    }

    /** Returns this result combined with that of the next round. */
    RoundResult then(RoundResult next) {
        return new RoundResult(report.plus(next.report), size, Math.max(longestEpoch, next.longestEpoch));
    }

    boolean isNothing() {
        return longestEpoch == 0;
    }
}
