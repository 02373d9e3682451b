package io.cutwater.trainer.sync;

import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.averaging.LocalWorkers;
import io.cutwater.trainer.averaging.Workforce;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.progress.EmbeddingFiles;
import io.cutwater.trainer.round.AccuracyCounts;
import io.cutwater.trainer.round.EmbeddingRows;
import io.cutwater.trainer.round.LocalUpdate;
import io.cutwater.trainer.round.Locality;
import io.cutwater.trainer.round.ModelState;
import io.cutwater.trainer.round.Round;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import io.cutwater.trainer.training.ShardTrainer;
import io.cutwater.trainer.training.ShardTrainers;
import io.cutwater.trainer.training.TrainerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Trains one model with mini-batches over the whole graph (DistDGL: Zheng et al. 2020), with a thread of this process
 * for each shard. Each step takes the mean gradient of the mini-batches of all shards, which have neighbours and
 * features wherever these are. With all neighbours and without dropout the losses are those of one model on the whole
 * graph with the same mini-batches.
 */
public final class SyncWorkforce implements Workforce {
    private final LocalWorkers workers;
    private final Shards shards;
    private @Nullable EmbeddingRows embeddings; // of a checkpoint, none before the first
    private @Nullable EmbeddingFiles files;

    /**
     * Creates a workforce without shards, see {@link #prepare}.
     *
     * @param shape shape of the network
     * @param options options for all shards together
     * @param scratch folder for temporary folders
     */
    public SyncWorkforce(
            ShardSource source, DataShape shape, TrainerOptions options, SyncOptions how, int workers, Path scratch) {
        shards = new Shards(source, shape, options, how, scratch);
        this.workers = new LocalWorkers(shards, workers, true);
        embeddings = how.embeddings() == 0 ? null : EmbeddingRows.none(options.randomSeed(), how.embeddings());
    }

    /** Creates the trainers of a cut, which share a graph. */
    private static final class Shards implements ShardTrainers {
        private final ShardSource source;
        private final DataShape shape;
        private final GnnNetwork network;
        private final TrainerOptions options;
        private final SyncOptions how;
        private final Path scratch;
        private volatile @Nullable SharedGraph graph;

        Shards(ShardSource source, DataShape shape, TrainerOptions options, SyncOptions how, Path scratch) {
            this.source = source;
            this.shape = shape;
            network = new GnnNetwork(options.model(), shape.features(), shape.classes());
            this.options = options;
            this.how = how;
            this.scratch = scratch;
        }

        void begin(ShardCut cut) throws IOException, InterruptedException {
            graph = new SharedGraph(source.kind(), cut.shards());
        }

        SharedGraph graph() {
            return Objects.requireNonNull(graph);
        }

        @Override
        public void expect(ShardCut cut, Collection<Integer> all) {
            source.expect(cut, all);
        }

        @Override
        public ShardTrainer open(int shard, ShardCut cut) throws IOException, InterruptedException {
            TemporaryFolder folder = TemporaryFolder.forMappedFiles(scratch, "shard-%d".formatted(shard));
            boolean isMade = false;
            try {
                ShardStore store = source.make(shard, cut, folder.folder("store"));
                // Learned rows are not among the features of the shard.
                (how.embeddings() > 0 ? new DataShape(0, shape.classes()) : shape).requireFit(store);
                graph().add(store);
                isMade = true;
                return new SyncTrainer(graph(), store, network, options.sharedBy(cut.shards()), how, folder);
            } finally {
                if (!isMade) {
                    folder.close();
                }
            }
        }
    }

    @Override
    public void prepare(ShardCut cut) throws IOException, InterruptedException {
        EmbeddingRows before = embeddings;
        SharedEmbeddings trained = shards.graph == null ? null : shards.graph().embeddings();
        if (trained != null) {
            before = trained.rows();
        }
        shards.begin(cut);
        workers.prepare(cut);
        SharedGraph graph = shards.graph();
        graph.link();
        if (before != null) {
            graph.embeddings(
                    new SharedEmbeddings(graph.shards(), before, shards.options.learningRate(), graph.allCounters()));
        }
    }

    @Override
    public void save(Path folder, int round, boolean isBest) throws IOException {
        SharedEmbeddings trained = shards.graph().embeddings();
        if (trained != null) {
            EmbeddingRows rows = trained.rows();
            files(folder).write(rows, round);
            if (isBest) {
                files(folder).writeBest(rows);
            }
        }
    }

    @Override
    public void restore(Path folder, int round) throws IOException {
        EmbeddingRows expected = embeddings;
        if (expected != null) {
            embeddings = files(folder).read(round, expected.width());
        }
    }

    private EmbeddingFiles files(Path folder) {
        EmbeddingFiles made = files;
        if (made == null) {
            made = new EmbeddingFiles(folder);
            files = made;
        }
        return made;
    }

    @Override
    public List<@Nullable LocalUpdate> train(Round round, ModelState from, Duration wait, Gap gap)
            throws InterruptedException {
        return workers.train(round, from, wait, gap);
    }

    @Override
    public List<@Nullable AccuracyCounts> test(Round round, float[][] weights, Duration wait, Gap gap)
            throws InterruptedException {
        shards.graph().beginTest();
        return workers.test(round, weights, wait, gap);
    }

    @Override
    public Traffic takeTraffic() {
        Traffic taken = Traffic.NONE;
        for (WorkCounters counters : shards.graph().allCounters()) {
            taken = taken.plus(counters.takeTraffic());
        }
        return taken;
    }

    @Override
    public Locality takeLocality() {
        Locality taken = Locality.NONE;
        for (WorkCounters counters : shards.graph().allCounters()) {
            taken = taken.plus(counters.takeLocality());
        }
        return taken;
    }

    @Override
    public long takeBytes() {
        return workers.takeBytes();
    }

    @Override
    public void close() {
        workers.close();
    }
}
