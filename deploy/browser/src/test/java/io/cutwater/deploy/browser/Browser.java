package io.cutwater.deploy.browser;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.print.PrintOptions;

/** Chromium without a window, with the page open. {@code -Dcutwater.chromium} and {@code .chromedriver} name others. */
final class Browser implements AutoCloseable {
    private final ChromeDriver driver;

    Browser(URI page) {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(System.getProperty("cutwater.chromium", "/usr/bin/chromium"));
        // Containers have neither a sandbox for root nor much shared memory.
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu");
        options.addArguments("--js-flags=--expose-gc", "--enable-precise-memory-info");
        options.setCapability("goog:loggingPrefs", logs);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(
                                new File(System.getProperty("cutwater.chromedriver", "/usr/bin/chromedriver")))
                        .build(),
                options);
        resize(1280, 1000);
        driver.get(page.toString());
    }

    /** Sets the size of what is visible. */
    void resize(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    String text(String id) {
        return driver.findElement(By.id(id)).getText();
    }

    Object run(String script) {
        return driver.executeScript(script);
    }

    /** Returns the exact value behind a tile; NaN if there is no such tile. */
    double value(String key) {
        Object value = run("const tile = document.querySelector('.tiles dd[data-key=\"" + key
                + "\"]'); return tile === null ? null : tile.dataset.value;");
        return value == null ? Double.NaN : Double.parseDouble((String) value);
    }

    /** Presses keys, such as {@link org.openqa.selenium.Keys#TAB}, wherever the focus is. */
    void press(CharSequence... keys) {
        driver.switchTo().activeElement().sendKeys(keys);
    }

    /** Returns the id of the element that has the focus; empty for none. */
    String focus() {
        return (String) run("return document.activeElement.id");
    }

    /** Shows the page as on this medium, such as {@code print}; on the screen again for an empty name. */
    void medium(String name) {
        driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("media", name));
    }

    /** Prints the page, and writes it as PDF. */
    byte[] print(String name) throws IOException {
        PrintOptions options = new PrintOptions();
        options.setBackground(true);
        byte[] pdf = Base64.getDecoder().decode(driver.print(options).getContent());
        Files.write(folder().resolve(name), pdf);
        return pdf;
    }

    private static Path folder() throws IOException {
        return Files.createDirectories(Path.of(System.getProperty("cutwater.screenshots")));
    }

    void type(String id, String text) {
        driver.findElement(By.id(id)).sendKeys(text + "\n");
    }

    void click(String id) {
        driver.findElement(By.id(id)).click();
    }

    /** Clicks on a point of an element, counted from its left upper corner. */
    void click(String id, int x, int y) {
        WebElement element = driver.findElement(By.id(id));
        Dimension size = element.getSize();
        new Actions(driver)
                .moveToElement(element, x - size.getWidth() / 2, y - size.getHeight() / 2)
                .click()
                .perform();
    }

    /** Returns the bytes of the heap after a collection. */
    long heap() {
        return ((Number) run("gc(); gc(); return performance.memory.usedJSHeapSize;")).longValue();
    }

    /** Returns the errors that the browser has logged since the last call. */
    List<String> errors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(entry -> entry.getMessage())
                .toList();
    }

    /** Writes a picture of the whole page. */
    void screenshot(String name) throws IOException {
        long height = ((Number) run("return document.documentElement.scrollHeight;")).longValue();
        long width = ((Number) run("return document.documentElement.clientWidth;")).longValue();
        resize((int) width, (int) height);
        Files.write(
                Files.createDirectories(Path.of(System.getProperty("cutwater.screenshots")))
                        .resolve(name),
                driver.getScreenshotAs(OutputType.BYTES));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
