"""What a page of HTML is made of, by Python's own parser."""

import html.parser

# Elements without an end (HTML Living Standard, "Void elements"); in SVG any may end itself.
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Page(html.parser.HTMLParser):
    """Fails on an element that is not closed in its turn. Keeps ids, links, what would be loaded, headings and tables."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.names, self.loads, self.headings, self.scripts = [], [], [], [], [], [], 0
        self.tables, self.pictures, self.text = [], [], []
        self.feed(text)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.start(tag, attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag in VOID or "svg" in self.open, f"<{tag}/> does not end itself outside of SVG"
        self.start(tag, attributes)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> at {self.getpos()} while {self.open[-3:]} is open"
        self.open.pop()

    def handle_data(self, data):
        self.text.append(data)
        if self.open and self.open[-1] == "caption":
            self.tables[-1]["caption"] += data

    def start(self, tag, attributes):
        own = dict(attributes)
        assert len(own) == len(attributes), f"an attribute twice in <{tag}> at {self.getpos()}"
        assert not any(name.startswith("on") for name in own), f"an event handler in <{tag}> at {self.getpos()}"
        if "id" in own:
            self.ids.append(own["id"])
        self.names += own.get("aria-labelledby", "").split()
        if tag == "a":
            self.links.append(own["href"])
        self.loads += [own[name] for name in ("src", "srcset", "poster", "data", "action") if name in own]
        if tag == "link" or (tag not in ("a", "link") and ("href" in own or "xlink:href" in own)):
            self.loads.append(str(own))
        if tag in ("h1", "h2", "h3", "h4", "h5"):
            self.headings.append(int(tag[1]))
        if tag == "script":
            self.scripts += 1
        if tag == "table":
            self.tables.append({"caption": "", "heads": 0, "row_heads": 0, "rows": 0})
        if tag == "th":
            assert own.get("scope") in ("col", "row"), f"a head without a scope at {self.getpos()}"
            self.tables[-1]["heads" if own["scope"] == "col" else "row_heads"] += 1
        if tag == "tr":
            self.tables[-1]["rows"] += 1
        if tag == "svg":
            self.pictures.append(own)


def check(text):
    """The page, with what must hold of every one."""
    page = Page(text)
    assert len(set(page.ids)) == len(page.ids), "an id is given twice"
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links), page.links
    assert set(page.names) <= set(page.ids)
    assert page.loads == [] and "http://" not in text and "https://" not in text, "the page loads something"
    assert page.scripts == 1
    assert page.headings[0] == 1 and page.headings.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(page.headings, page.headings[1:])), "a level of headings is left out"
    for table in page.tables:
        assert table["caption"].strip() and table["heads"] > 1 and table["row_heads"] == table["rows"] - 1 > 0, table
    assert all(picture.get("aria-hidden") == "true" or picture.get("role") == "img" for picture in page.pictures)
    return page
