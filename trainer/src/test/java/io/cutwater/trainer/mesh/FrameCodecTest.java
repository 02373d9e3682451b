package io.cutwater.trainer.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.trainer.mesh.Frame.Alive;
import io.cutwater.trainer.mesh.Frame.Hello;
import io.cutwater.trainer.mesh.Frame.Reduce;
import io.cutwater.trainer.mesh.Frame.Refused;
import io.cutwater.trainer.mesh.Frame.Welcome;
import io.cutwater.trainer.reduce.Part;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrameCodecTest {
    private static final GroupKey KEY = new GroupKey(1, 2, 3);

    private final EmbeddedChannel channel = channel();

    private static EmbeddedChannel channel() {
        FrameCodec codec = new FrameCodec();
        codec.acceptParts(1000);
        return new EmbeddedChannel(codec);
    }

    private byte[] written(Frame frame) {
        channel.writeOutbound(frame);
        ByteBuf out = channel.readOutbound();
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        out.release();
        return bytes;
    }

    private Frame read(byte[] bytes) {
        channel.writeInbound(Unpooled.wrappedBuffer(bytes));
        return channel.readInbound();
    }

    /** The bytes of version 1, in the order of the reference page. */
    @Test
    void writesTheBytesOfVersion1() {
        assertThat(written(new Hello("a", "b-1", "ff")))
                .isEqualTo(hex(
                        "13000000" + "01" + "4354574d" + "0100" + "0100" + "61" + "0300" + "622d31" + "0200" + "6666"));
        assertThat(written(new Welcome())).isEqualTo(hex("01000000" + "02"));
        assertThat(written(new Alive())).isEqualTo(hex("01000000" + "03"));
        Part part = new Part(4, true, 5, true, new float[] {1, -2});
        assertThat(written(new Reduce(KEY, 6, 7, 8, part)))
                .isEqualTo(hex("3a000000" + "04" + "0100000000000000" + "02000000" + "03000000" + "0600000000000000"
                        + "07000000" + "08000000" + "04000000" + "03" + "0500000000000000" + "02000000" + "0000803f"
                        + "000000c0"));
        assertThat(written(new Refused(KEY, "no")))
                .isEqualTo(hex("15000000" + "05" + "0100000000000000" + "02000000" + "03000000" + "0200" + "6e6f"));
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    @Test
    void readsWhatItWroteInPiecesOfAnyLength() {
        SplittableRandom random = new SplittableRandom(1);
        float[] values = new float[1000];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) random.nextGaussian();
        }
        byte[] bytes = written(new Reduce(KEY, -1, 0, 1, new Part(9, false, 1L << 40, false, values)));
        Reduce read = null;
        for (int from = 0; from < bytes.length; ) {
            assertThat(read).isNull();
            int to = Math.min(bytes.length, from + 1 + random.nextInt(700));
            read = (Reduce) read(Arrays.copyOfRange(bytes, from, to));
            from = to;
        }
        assertThat(read.key()).isEqualTo(KEY);
        assertThat(read.cut()).isEqualTo(-1);
        assertThat(read.part().weight()).isEqualTo(1L << 40);
        assertThat(read.part().hasMore()).isFalse();
        assertThat(read.part().values()).isEqualTo(values);
        assertThat(read(written(new Refused(KEY, "wörd")))).isEqualTo(new Refused(KEY, "wörd"));
        assertThat(read(written(new Hello("a", "b", "c")))).isEqualTo(new Hello("a", "b", "c"));
        assertThat(read(written(new Alive()))).isEqualTo(new Alive());
    }

    @Test
    void refusesFramesThatNoWorkerSends() {
        refuses("ffffffff", "a frame of 4294967295 bytes");
        refuses("00000000", "a frame of 0 bytes");
        refuses("ffffff7f", "a frame of 2147483647 bytes");
        refuses("01000000" + "09", "a frame of unknown kind 9");
        refuses("02000000" + "0300", "a frame with 1 bytes too many");
        refuses("03000000" + "010000", "a truncated frame");
        refuses("07000000" + "01" + "4354574d" + "0200", "a first frame of version 2, and this program reads 1");
        String reduce = "04" + "0000000000000000".repeat(3) + "0000000000000000" + "00000000" + "00";
        refuses("36000000" + reduce + "0500000000000000" + "02000000" + "00000000", "a part of weight 5 with 2 values");
        refuses("32000000" + reduce + "ffffffffffffffff" + "00000000", "a part of weight -1 with 0 values");
        refuses("32000000" + reduce + "0500000000000000" + "ffffffff", "a part of weight 5 with -1 values");
    }

    @Test
    void readsShortFramesUntilTheSenderIsKnown() {
        byte[] bytes = written(new Reduce(KEY, 1, 0, 1, new Part(1, false, 1, false, new float[5000])));
        EmbeddedChannel unknown = new EmbeddedChannel(new FrameCodec());
        assertThatThrownBy(() -> unknown.writeInbound(Unpooled.wrappedBuffer(bytes, 0, 10)))
                .hasMessageContaining("a frame of 20050 bytes; 1 to 12013 are possible");
    }

    private void refuses(String bytes, String sentence) {
        EmbeddedChannel fresh = channel();
        assertThatThrownBy(() -> fresh.writeInbound(Unpooled.wrappedBuffer(hex(bytes))))
                .as(bytes)
                .hasMessageContaining(sentence);
    }
}
