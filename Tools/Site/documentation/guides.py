# SPDX-License-Identifier: Apache-2.0
"""Makes a catalogue for DocC of the pages of Documentation, which are written for the repository's own pages."""
import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGES = ROOT / "Documentation"


def slug(heading):
    """The name of a heading in a link, as the repository's pages make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def anchors(text):
    """The name of each heading of a page in DocC, by its name in the repository."""
    without_code = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    headings = re.findall(r"^##+ (.*)$", without_code, re.M)
    return {slug(heading): re.sub(r"[^\w\-]+", "-", heading.replace("`", "")).strip("-") for heading in headings}


def image(match):
    """A picture in a light and a dark version, as an image of DocC."""
    alt = re.search(r'alt="([^"]*)"', match[0])[1]
    light = re.search(r'<img[^>]*src="Pictures/([^"]*)"', match[0])[1]
    return f"![{alt}]({light.replace('-light.', '.')})"


def link(target, pages, url):
    """The target of a link of a page: another page, or a file of the repository."""
    if re.match(r"[a-z]+:", target):
        return target
    path, _, section = target.partition("#")
    if not path and section:
        return f"#{section}"
    name = path.removesuffix(".md")
    if path.endswith(".md") and "/" not in path and name in pages:
        anchor = anchors(pages[name]).get(section) if section else None
        return f"doc:{name}" + (f"#{anchor}" if anchor else "")
    file = (PAGES / path).resolve().relative_to(ROOT)
    kind = "tree" if (ROOT / file).is_dir() else "blob"
    return f"{url}/{kind}/main/{file}" + (f"#{section}" if section else "")


def with_plain_summary(text):
    """The page with links only below its first sentence, which DocC shows without them."""
    title, _, body = text.partition("\n\n")
    first, _, rest = body.partition("\n\n")
    if "](" not in first or first.startswith(("#", "-", "|", "```")):
        return text
    sentence = re.match(r".*?[.:](?=\s|$)", first, re.S)[0]
    summary = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", sentence).rstrip(":") + ("." if sentence.endswith(":") else "")
    return f"{title}\n\n{summary}\n\n## Overview\n\n{first[len(sentence):].strip()}\n\n{rest}"


def converted(name, text, pages, url):
    """A page in the language of DocC."""
    text = with_plain_summary(text)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    # DocC does not draw diagrams.
    text = re.sub(r"^## [^\n]*\n\n```mermaid\n.*?^```\n\n", "", text, flags=re.S | re.M)
    text = re.sub(r"<picture>.*?</picture>", image, text, flags=re.S)
    own = anchors(text)

    def rewritten(match):
        target = link(match[2], pages, url)
        if target.startswith("#"):
            anchor = own.get(target[1:])
            return f"[{match[1]}](doc:{name}#{anchor})" if anchor else match[1]
        return f"[{match[1]}]({target})"

    parts = re.split(r"(^```.*?^```)", text, flags=re.M | re.S)
    for index in range(0, len(parts), 2):
        parts[index] = re.sub(r'(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)(?: "[^"]*")?\)', rewritten, parts[index])
    return "".join(parts)


def write(folder, url):
    """Writes the catalogue: the pages, their pictures and the tutorial."""
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    pages = {path.stem: path.read_text() for path in sorted(PAGES.glob("*.md")) if path.name != "README.md"}
    coming = [name for name in pages if name.startswith("ComingFrom")]
    topics = "".join(f"- <doc:{name}>\n" for name in pages if name not in coming)
    others = "".join(f"- <doc:{name}>\n" for name in coming)
    (folder / "Guides.md").write_text(
        "# Guides\n\n@Metadata {\n    @TechnologyRoot\n}\n\nAlmanac by task.\n\n## Overview\n\n"
        "Each module has documentation of its own. The guides show how the modules work together.\n\n"
        f"## Topics\n\n### Tutorial\n- <doc:Tutorials>\n\n### Guides\n{topics}\n### Coming from\n{others}")
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(converted(name, text, pages, url))
    images = folder / "Resources"
    images.mkdir()
    for path in (PAGES / "Pictures").iterdir():
        shutil.copy(path, images / path.name.replace("-light.", ".").replace("-dark.", "~dark."))
    for path in (PAGES / "Tutorial").glob("*.tutorial"):
        shutil.copy(path, folder / path.name)
    for path in (PAGES / "Tutorial" / "Steps").glob("*.swift"):
        # The licence is of the file, not of the reader's program.
        (images / path.name).write_text(path.read_text().replace("// SPDX-License-Identifier: Apache-2.0\n\n", ""))
