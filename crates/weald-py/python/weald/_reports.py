"""What the checker, the figures and the reasons say."""

from __future__ import annotations

from typing import Any


class _Told:
    """Something told in lines of text, and as data."""

    def __init__(self, text: str, data: dict[str, Any]) -> None:
        self.text = text
        self.data = data

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{type(self).__name__}\n{self.text.rstrip()}>"


class Report(_Told):
    """What the checker found. It is true if no rule is broken.

    `text` has a line for each rule, as `weald check` prints it; `data` is the same as a dict.
    """

    @property
    def ok(self) -> bool:
        """Whether no rule is broken."""
        return bool(self.data["ok"])

    def __bool__(self) -> bool:
        return self.ok

    @property
    def rules(self) -> list[dict[str, Any]]:
        """The rules with how often each was checked, how often broken, and the first violations."""
        return list(self.data["rules"])

    @property
    def broken(self) -> list[str]:
        """The names of the rules that are broken."""
        return [rule["rule"] for rule in self.rules if rule["violations"]]

    @property
    def lines(self) -> list[str]:
        """The lines of `text`."""
        return self.text.splitlines()

    @property
    def notes(self) -> list[str]:
        """What was assumed, and what could not be checked."""
        return list(self.data["notes"])


class Explanation(_Told):
    """Why a place is what it is.

    `text` has a sentence for each reason, `table` a line for each layer; `data` has the rules, numbers and
    neighbours that decided.
    """

    def __init__(self, text: str, table: str, data: dict[str, Any]) -> None:
        super().__init__(text, data)
        self.table = table

    def reason(self, subject: str) -> dict[str, Any]:
        """Returns the reason for a subject, such as `"water"`."""
        reasons = {reason["subject"]: reason for reason in self.data["reasons"]}
        if subject not in reasons:
            raise KeyError(f"{subject}: nothing is said of it here; use {', '.join(reasons)}")
        return dict(reasons[subject])


class Measures(_Told):
    """Figures of a heightmap beside those of real land; `data` has the points of the charts too."""

    @property
    def figures(self) -> dict[str, float | None]:
        """The figures by their names; None where there is none."""
        return {figure["name"]: figure["value"] for figure in self.data["figures"]}

    @property
    def outside(self) -> list[str]:
        """The names of the figures that are outside the range of real land."""
        return [figure["name"] for figure in self.data["figures"] if figure["verdict"] == "outside"]
