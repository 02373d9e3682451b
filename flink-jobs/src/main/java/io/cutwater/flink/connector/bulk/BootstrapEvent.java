package io.cutwater.flink.connector.bulk;

import org.apache.flink.api.connector.source.SourceEvent;

/** Messages between the readers of a bootstrap and its enumerator. */
enum BootstrapEvent implements SourceEvent {
    /** A reader has emitted its piece of the history. */
    EMITTED,
    /** The history of all readers is in a checkpoint, so the rest of the topic may follow. */
    GO_LIVE
}
