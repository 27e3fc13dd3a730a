"""balance doctor: what there is on this machine, what is wrong with it, and what to do."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Annotated

from balance.cli.lines import wrapped
from balance.cli.options import Format, form_of


def doctor(form: Annotated[Format, form_of("What is printed.")] = Format.TEXT) -> None:
    """Look at this machine and installation, and say what is wrong."""
    from balance.experiment.doctor import examined

    findings, facts = examined()
    if form is Format.JSON:
        report = {"findings": [asdict(finding) for finding in findings], "facts": facts}
        sys.stdout.write(json.dumps(report, indent=2) + "\n")
        return
    for finding in findings:
        sys.stdout.write(_filled(f"{finding.level}: {finding.sentence}", ""))
        sys.stdout.write(_filled(finding.advice, "  "))
    if not findings:
        sys.stdout.write("Nothing is wrong.\n")
    sys.stdout.write("\n")
    for name, value in facts.items():
        sys.stdout.write(f"{name:14}{value}\n")


def _filled(text: str, indent: str) -> str:
    return "\n".join(wrapped(text, indent, "  ")) + "\n"
