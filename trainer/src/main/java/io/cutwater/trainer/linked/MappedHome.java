package io.cutwater.trainer.linked;

import io.cutwater.trainer.feature.Features;
import io.cutwater.trainer.mapped.MappedInts;
import io.cutwater.trainer.mapped.MappedLongs;
import java.io.IOException;

/**
 * A shard of another process on this host, read in that process's mapped files.
 *
 * @param offsets position of the first neighbour in the shard, by local number, and one more
 * @param neighbours numbers
 * @param ids ids in the graph, by local number
 * @param addresses addresses by number
 * @param degrees numbers of neighbours in the whole graph, by number
 * @param partsBegin position of the first neighbour at a mirror, by local number, and one more; empty in a vertex
 *     partitioning
 * @param parts numbers
 */
record MappedHome(
        Features features,
        MappedLongs offsets,
        MappedInts neighbours,
        MappedLongs ids,
        MappedLongs addresses,
        MappedInts degrees,
        MappedInts partsBegin,
        MappedInts parts)
        implements Home {
    /**
     * Returns this shard after a check of the lengths.
     *
     * @throws IOException if the files are not those of one shard
     */
    MappedHome checked() throws IOException {
        long vertices = ids.length();
        long lists = partsBegin.length();
        if (offsets.length() != vertices + 1
                || offsets.get(vertices) != neighbours.length()
                || addresses.length() < vertices
                || degrees.length() != addresses.length()
                || parts.length() != (lists == 0 ? 0 : partsBegin.get(lists - 1))
                || lists != 0 && lists != vertices + 1) {
            throw new IOException("the files do not belong together");
        }
        return this;
    }

    @Override
    public int vertexCount() {
        return (int) ids.length();
    }

    @Override
    public long vertex(int local) {
        return ids.get(local);
    }

    @Override
    public long address(int number) {
        return addresses.get(number);
    }

    @Override
    public int degree(int number) {
        return degrees.get(number);
    }

    @Override
    public int neighbour(int local, int position) {
        long at = offsets.get(local) + position;
        long end = offsets.get(local + 1L);
        return at < end ? neighbours.get(at) : parts.get(partsBegin.get(local) + at - end);
    }
}
