package io.cutwater.trainer.mesh;

import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.channel.FrameGroup.Purpose;
import io.cutwater.trainer.mesh.Frame.Data;
import java.nio.ByteBuffer;

/** Sends the frames of an attempt to the processes of their receivers. */
record MeshTransport(Mesh mesh, Membership members) implements FrameGroup.Transport {
    @Override
    public boolean isHere(int end) {
        return members.at(end).equals(mesh.name());
    }

    @Override
    public boolean send(int from, int to, Purpose purpose, int number, ByteBuffer frame) {
        if (isHere(to)) {
            return false;
        }
        long cut = members.cut().fingerprint();
        mesh.send(members.at(to), new Data(members.key(), cut, from, to, purpose, number, frame));
        return true;
    }
}
