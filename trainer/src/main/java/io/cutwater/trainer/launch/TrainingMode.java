package io.cutwater.trainer.launch;

import io.cutwater.trainer.fullgraph.FullGraphOptions;
import io.cutwater.trainer.sync.SyncOptions;

/** How the shards of a training work together. */
public sealed interface TrainingMode {
    /** Each shard trains alone, and the models are averaged. */
    TrainingMode LOCAL = new Local();

    /** Returns what checkpoints and published rounds say of the mode; empty for {@link Local}. */
    String words();

    /** Each shard trains alone, and the models are averaged. */
    record Local() implements TrainingMode {
        @Override
        public String words() {
            return "";
        }
    }

    /** Each step takes the mini-batches of all shards, which read neighbours and features of each other. */
    record Sync(SyncOptions options) implements TrainingMode {
        @Override
        public String words() {
            return options.words();
        }
    }

    /** One step per epoch on the whole graph; shards exchange rows. */
    record FullGraph(FullGraphOptions options) implements TrainingMode {
        @Override
        public String words() {
            return options.words();
        }
    }
}
