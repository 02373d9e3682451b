package io.cutwater.trainer.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.trainer.channel.FrameGroup.Purpose;
import io.cutwater.trainer.mesh.Frame.Alive;
import io.cutwater.trainer.mesh.Frame.Content;
import io.cutwater.trainer.mesh.Frame.Data;
import io.cutwater.trainer.mesh.Frame.Fetch;
import io.cutwater.trainer.mesh.Frame.Hello;
import io.cutwater.trainer.mesh.Frame.Refused;
import io.cutwater.trainer.mesh.Frame.Taken;
import io.cutwater.trainer.mesh.Frame.Tell;
import io.cutwater.trainer.mesh.Frame.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FrameCodecTest {
    private static final GroupKey KEY = new GroupKey(1, 2, 3);

    private final EmbeddedChannel channel = channel();

    private static EmbeddedChannel channel() {
        FrameCodec codec = new FrameCodec();
        codec.acceptData(4000);
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

    /** The bytes of version 5, in the order of the reference page. */
    @Test
    void writesTheBytesOfVersion5() {
        assertThat(written(new Hello("a", "b-1", "ff", 5)))
                .isEqualTo(hex("1b000000" + "01" + "4354574d" + "0500" + "0100" + "61" + "0300" + "622d31" + "0200"
                        + "6666" + "0500000000000000"));
        assertThat(written(new Welcome(7))).isEqualTo(hex("09000000" + "02" + "0700000000000000"));
        assertThat(written(new Alive(8))).isEqualTo(hex("09000000" + "03" + "0800000000000000"));
        ByteBuffer body = ByteBuffer.wrap(hex("00aabbcc"), 1, 2);
        assertThat(written(new Data(KEY, 6, 7, 8, Purpose.ANSWER, 9, body)))
                .isEqualTo(hex("28000000" + "04" + "0100000000000000" + "02000000" + "03000000" + "0600000000000000"
                        + "07000000" + "08000000" + "02" + "09000000" + "aabb"));
        assertThat(body.remaining()).as("a body may go to several shards").isEqualTo(2);
        assertThat(written(new Refused(KEY, "no")))
                .isEqualTo(hex("15000000" + "05" + "0100000000000000" + "02000000" + "03000000" + "0200" + "6e6f"));
        assertThat(written(new Fetch(5))).isEqualTo(hex("09000000" + "06" + "0500000000000000"));
        assertThat(written(new Content(5, body))).isEqualTo(hex("0b000000" + "07" + "0500000000000000" + "aabb"));
        assertThat(written(new Tell(5, body))).isEqualTo(hex("0b000000" + "08" + "0500000000000000" + "aabb"));
        assertThat(written(new Taken(5))).isEqualTo(hex("09000000" + "09" + "0500000000000000"));
        assertThat(body.remaining()).isEqualTo(2);
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    @Test
    void readsWhatItWroteInPiecesOfAnyLength() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] body = new byte[4000];
        random.nextBytes(body);
        byte[] bytes = written(new Data(KEY, -1, 0, 1, Purpose.MESSAGE, 0, ByteBuffer.wrap(body)));
        Data read = null;
        for (int from = 0; from < bytes.length; ) {
            assertThat(read).isNull();
            int to = Math.min(bytes.length, from + 1 + random.nextInt(700));
            read = (Data) read(Arrays.copyOfRange(bytes, from, to));
            from = to;
        }
        assertThat(read).isEqualTo(new Data(KEY, -1, 0, 1, Purpose.MESSAGE, 0, ByteBuffer.wrap(body)));
        assertThat(read(written(new Refused(KEY, "wörd")))).isEqualTo(new Refused(KEY, "wörd"));
        assertThat(read(written(new Hello("a", "b", "c", -2)))).isEqualTo(new Hello("a", "b", "c", -2));
        assertThat(read(written(new Alive(3)))).isEqualTo(new Alive(3));
        assertThat(read(written(new Fetch(-1)))).isEqualTo(new Fetch(-1));
        assertThat(read(written(new Content(2, ByteBuffer.wrap(body)))))
                .isEqualTo(new Content(2, ByteBuffer.wrap(body)));
        assertThat(read(written(new Tell(3, ByteBuffer.wrap(body))))).isEqualTo(new Tell(3, ByteBuffer.wrap(body)));
        assertThat(read(written(new Taken(4)))).isEqualTo(new Taken(4));
    }

    @Test
    void refusesFramesThatNoWorkerSends() {
        refuses("ffffffff", "a frame of 4294967295 bytes");
        refuses("00000000", "a frame of 0 bytes");
        refuses("ffffff7f", "a frame of 2147483647 bytes");
        refuses("01000000" + "0a", "a frame of unknown kind 10");
        refuses("0a000000" + "03" + "000000000000000000", "a frame with 1 bytes too many");
        refuses("03000000" + "010000", "a truncated frame");
        refuses("07000000" + "01" + "4354574d" + "0200", "a first frame of version 2, and this program reads 5");
    }

    @Test
    void readsShortFramesUntilTheSenderIsKnown() {
        byte[] bytes = written(new Data(KEY, 1, 0, 1, Purpose.QUESTION, 1, ByteBuffer.allocate(20_000)));
        EmbeddedChannel unknown = new EmbeddedChannel(new FrameCodec());
        assertThatThrownBy(() -> unknown.writeInbound(Unpooled.wrappedBuffer(bytes, 0, 10)))
                .hasMessageContaining("a frame of 20038 bytes; 1 to 12021 are possible");
    }

    private void refuses(String bytes, String sentence) {
        EmbeddedChannel fresh = channel();
        assertThatThrownBy(() -> fresh.writeInbound(Unpooled.wrappedBuffer(hex(bytes))))
                .as(bytes)
                .hasMessageContaining(sentence);
    }
}
