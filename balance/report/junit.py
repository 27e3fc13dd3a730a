"""Gates as a JUnit file, which CI servers show as tests: a suite for each variant, a case for each gate and table."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from balance.experiment.wording import printable
from balance.report.gates import Row, rows

_OUTCOMES = {"fail": "failure", "no data": "error", "inconclusive": "error"}
_NO_XML = re.compile("[\ufffe\uffff]")


def junit(results: Mapping[str, Any]) -> bytes:
    """The file. What is not known to hold is no success: undecided gates are errors, those that only warn skipped.

    Where no gate was judged there is one case, an error that says why, lest nothing at all be taken for a pass.
    """
    if not results["gates"]:
        return _written(_nothing(results))
    found = sorted(rows(results), key=lambda row: _variants(results).index(row.variant))
    root = ET.Element("testsuites", {"name": _fit(f"balance: {results['title']}"), **_counts(found)})
    for variant, members in groupby(found, key=lambda row: row.variant):
        of_variant = list(members)
        suite = ET.SubElement(root, "testsuite", {"name": _fit(variant), **_counts(of_variant)})
        for row in of_variant:
            _case(suite, row, _fit(f"{results['game_title']}.{variant}"))
    return _written(root)


def _nothing(results: Mapping[str, Any]) -> ET.Element:
    counts = {"tests": "1", "failures": "0", "errors": "1", "skipped": "0", "time": "0"}
    root = ET.Element("testsuites", {"name": _fit(f"balance: {results['title']}"), **counts})
    suite = ET.SubElement(root, "testsuite", {"name": "gates", **counts})
    case = ET.SubElement(suite, "testcase", {"classname": "balance", "name": "gates", "time": "0"})
    ET.SubElement(case, "error", {"message": _fit(results["reason"]), "type": results["verdict"]})
    return root


def _written(root: ET.Element) -> bytes:
    ET.indent(root)
    text: str = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _variants(results: Mapping[str, Any]) -> list[str]:
    return [cell["variant"] for cell in results["cells"]]


def _case(suite: ET.Element, row: Row, of: str) -> None:
    name = _fit(f"{row.subject} {row.limits}, {row.table}")
    case = ET.SubElement(suite, "testcase", {"classname": of, "name": name, "time": "0"})
    if kind := _outcome(row):
        said = ET.SubElement(
            case, kind, {"message": _fit(f"{row.verdict}: {row.found}"), "type": row.verdict}
        )
        said.text = _fit(" ".join(part for part in (row.more, row.why) if part)) or None
    else:
        ET.SubElement(case, "system-out").text = _fit(row.found)


def _outcome(row: Row) -> str:
    if row.verdict not in _OUTCOMES:
        return ""
    return "skipped" if row.warns else _OUTCOMES[row.verdict]


def _counts(found: Sequence[Row]) -> dict[str, str]:
    kinds = [_outcome(row) for row in found]
    counts = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    return {
        "tests": str(len(found)),
        **{name: str(kinds.count(kind)) for name, kind in counts.items()},
        "time": "0",
    }


def _fit(text: str) -> str:
    """The text without what no XML can hold."""
    return _NO_XML.sub("\ufffd", printable(text))
