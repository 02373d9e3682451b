package io.cutwater.trainer.torch;

import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;

/** A process that computes with PyTorch and exits at the first look-up of a web address. */
final class OfflineProbe extends ProxySelector {
    private OfflineProbe() {}

    public static void main(String[] args) {
        ProxySelector.setDefault(new OfflineProbe());
        Torch.load();
        try (NDManager manager = NDManager.newBaseManager("PyTorch")) {
            System.out.println(
                    "sum " + manager.create(new float[] {1, 2, 3}).sum().getFloat());
        }
    }

    @Override
    public List<Proxy> select(URI uri) {
        System.out.println("asks for " + uri);
        Runtime.getRuntime().halt(3);
        throw new IllegalStateException();
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
}
