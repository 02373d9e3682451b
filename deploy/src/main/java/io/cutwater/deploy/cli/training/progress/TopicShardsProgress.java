package io.cutwater.deploy.cli.training.progress;

import io.cutwater.deploy.view.Progress;
import io.cutwater.trainer.live.MadeShard;
import io.cutwater.trainer.live.TopicShardsListener;
import java.util.HashMap;
import java.util.Map;

/** Prints notes about the shards of a topic. */
public final class TopicShardsProgress implements TopicShardsListener {
    private final Progress.Display display;
    /** The last note of each shard. */
    private final Map<Integer, Lack> told = new HashMap<>();

    private record Lack(int withoutFeatures, int otherWidth, int beyondClasses) {
        private static final Lack NONE = new Lack(0, 0, 0);
    }

    public TopicShardsProgress(Progress.Display display) {
        this.display = display;
    }

    @Override
    public void waiting(String sentence) {
        display.say("cutwater: " + sentence + "; waiting for it");
    }

    @Override
    public void readAgain(String sentence) {
        display.say("cutwater: " + sentence);
    }

    @Override
    public void misfits(String sentence) {
        display.say("cutwater: " + sentence);
    }

    /** Prints a note when its numbers change, not for each cut. */
    @Override
    public void made(MadeShard shard) {
        Lack lack = new Lack(shard.withoutFeatures(), shard.otherWidth(), shard.beyondClasses());
        synchronized (told) {
            Lack before = told.put(shard.shard(), lack);
            if (!lack.equals(before == null ? Lack.NONE : before)) {
                display.say("cutwater: " + shard.sentence());
            }
        }
    }
}
