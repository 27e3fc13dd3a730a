from __future__ import annotations

import pytest
from experiment.dice_race import install


@pytest.fixture(autouse=True)
def the_race(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
