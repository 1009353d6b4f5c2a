"""The page in a real browser: it complains of nothing, fits narrow and wide windows, is light and dark, and is led by keys."""

import os
import pathlib
import shutil

import pytest
from browser import Browser, program
from conftest import hiple, mpirun
from PIL import Image, ImageStat

SOURCE = pathlib.Path(os.environ["HIPLE_SOURCE_DIR"])
# Where the pictures go, for who wants to look at them; else into a folder that is thrown away.
PICTURES = os.environ.get("HIPLE_PICTURES")


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The milling study on five ranks, with all that a page can show."""
    program()
    root = tmp_path_factory.mktemp("milling")
    shutil.copytree(SOURCE / "configs" / "milling", root / "configs" / "milling")
    run = root / "configs" / "milling" / "run.yaml"
    table = root / "runs" / "data" / "milling.csv"
    table.parent.mkdir(parents=True)
    made = hiple("data", "generate", "milling", "--rows", 10000, "--seed", 2020, "--output", table)
    assert made.returncode == 0, made.stderr
    done = mpirun(5, "run", run, "--output", root / "out")
    assert done.returncode == 0, done.stdout + done.stderr
    assert hiple("report", root / "out").returncode == 0
    return root / "out" / "report.html"


@pytest.fixture(scope="module")
def browser():
    with Browser() as browser:
        yield browser


@pytest.mark.parametrize("width", [360, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fits_and_is_not_blank(page, browser, width, scheme, tmp_path):
    browser.show(width, scheme)
    browser.open(page)
    assert browser.complaints() == []
    assert browser.value("document.documentElement.scrollWidth") <= width, "the page itself scrolls sideways"
    picture = (pathlib.Path(PICTURES) if PICTURES else tmp_path) / f"{scheme}_{width}.png"
    browser.screenshot(picture)
    image = Image.open(picture).convert("L")
    assert image.width == width and image.height > 2000
    assert ImageStat.Stat(image).stddev[0] > 10, "nothing is to be seen"
    assert (image.getpixel((2, 2)) > 200) == (scheme == "light")
    # What is drawn is as wide as it should be, and no text of a chart is too small to read.
    assert browser.value("[...document.querySelectorAll('svg.chart, svg.bar')].filter(e => e.getClientRects().length)"
                         ".every(e => e.getBoundingClientRect().width > 40)")
    assert browser.value("""Math.min(...[...document.querySelectorAll('svg.chart')].filter(e => e.getClientRects().length)
        .map(e => 10.5 * e.getBoundingClientRect().width / 340))""") > 8


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(page, browser, scheme):
    """Contrast as WCAG 2 computes it, of every colour of text against the grounds that it stands on: at least 4.5."""
    browser.show(1600, scheme)
    browser.open(page)
    worst = browser.value("""(() => {
      const style = getComputedStyle(document.documentElement);
      const part = (c) => { c /= 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
      const light = (name) => { const n = parseInt(style.getPropertyValue(name).trim().slice(1), 16);
        return 0.2126 * part(n >> 16) + 0.7152 * part(n >> 8 & 255) + 0.0722 * part(n & 255); };
      const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
      const pairs = [];
      for (const ground of ["--paper", "--raised"])
        for (const text of ["--ink", "--soft", "--link", "--good", "--bad", "--open"]) pairs.push([text, ground]);
      for (const ground of ["--true", "--decided", "--unknown", "--false", "--person", "--input", "--engine"]) pairs.push(["--ink", ground]);
      return pairs.map(([a, b]) => [contrast(a, b), a, b]).sort((p, q) => p[0] - q[0])[0];
    })()""")
    assert worst[0] >= 4.5, worst


def test_cases_are_browsed_by_keys(page, browser):
    browser.show(1600, "light")
    browser.open(page)
    shown = browser.value("document.querySelectorAll('details.case').length")
    assert shown == 40
    opened = "[...document.querySelectorAll('details.case[open]')].map(e => e.dataset.case)"
    assert browser.value(opened) == []
    # From the last control of the browser on, as somebody comes to it by Tab.
    browser.value("[...document.querySelectorAll('#browser button')].at(-1).focus()")
    browser.press("j")
    first = browser.value(opened)
    browser.press("j")
    second = browser.value(opened)
    assert len(first) == len(second) == 1 and first != second
    assert browser.value("document.activeElement.closest('details').dataset.case") == second[0]
    browser.press("k")
    assert browser.value(opened) == first
    # By the page's own element, without a line of script: Enter on a summary.
    browser.press("Enter")
    assert browser.value(opened) == []
    browser.press("Tab")
    browser.press("Enter")
    assert browser.value(opened) == [browser.value("document.querySelectorAll('details.case')[1].dataset.case")]
    # Keys belong to the text field while one writes in it.
    browser.value("document.querySelector('#browser input').focus()")
    browser.press("j")
    assert browser.value("document.querySelector('#browser input').value") == "j"
    assert browser.complaints() == []


def test_cases_can_be_narrowed_down(page, browser):
    browser.open(page)
    browser.value("""(() => { const [kind] = document.querySelectorAll('#browser select'); kind.value = 'critical';
                   kind.dispatchEvent(new Event('change')); })()""")
    seen = browser.value("[...document.querySelectorAll('details.case')].filter(e => !e.hidden).map(e => e.dataset.kind)")
    assert seen and set(seen) == {"critical"}
    assert f"{len(seen)} of 40 cases" in browser.value("document.querySelector('#browser [role=status]').textContent")


def test_long_tables_can_be_sorted(page, browser):
    browser.open(page)
    table = "document.querySelector('table.sortable')"
    column = f"[...{table}.tBodies[0].rows].map(r => Number(r.cells[r.cells.length - 1].dataset.key))"
    before = browser.value(column)
    press = f"[...{table}.querySelectorAll('th button')].at(-1).click()"
    browser.value(press)
    assert browser.value(column) == sorted(before)
    browser.value(press)
    assert browser.value(column) == sorted(before, reverse=True)


def test_says_everything_without_javascript(page, browser):
    browser.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.show(1600, "light")
        browser.open(page)
        assert browser.complaints() == []
    finally:
        browser.call("Emulation.setScriptExecutionDisabled", value=False)
    assert browser.value("document.querySelector('#browser').getClientRects().length") == 0
    assert browser.value("document.querySelectorAll('details.case').length") == 40
    assert browser.value("document.querySelectorAll('th button').length") == 0


def test_prints_on_paper(page, browser, tmp_path):
    browser.show(1600, "dark")
    browser.open(page)
    browser.call("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    try:
        assert browser.value("getComputedStyle(document.querySelector('nav')).display") == "none"
        assert browser.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)", "dark ink on paper"
        printed = browser.call("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=False)
    finally:
        browser.call("Emulation.setEmulatedMedia", media="")
    assert len(printed["data"]) > 10000
