"""Records in a model file: named values that are declared, and go together."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from typing import Any

from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.specs import Spec, short
from simplexcoding.persistence.stored import Sizes, Stored


@dataclass(frozen=True)
class Fields:
    """Named values of a record in the order in which they are read.

    Parameters
    ----------
    specs : dict of Spec
    check : callable(dict, Sizes), default none
        Refuses values that do not go together.
    optional : tuple of str
        Names that may be absent.
    """

    specs: Mapping[str, Spec]
    check: Callable[[dict[str, Any], Sizes], None] | None = None
    optional: tuple[str, ...] = ()

    def write(self, values: Mapping[str, Any], out: Stored) -> dict[str, Any]:
        """JSON object of the values."""
        self._check_names(values)
        codes = {}
        for name, spec in self.specs.items():
            if name in values:
                with _named(name):
                    codes[name] = spec.write(values[name], out)
        if self.check is not None:
            self.check(dict(values), out.sizes)
        return codes

    def read(self, code: Any, source: Stored) -> dict[str, Any]:
        """Values of a JSON object."""
        if not isinstance(code, dict):
            raise Refusal(f"is {short(code)}, expected fields")
        self._check_names(code)
        values = {}
        for name, spec in self.specs.items():
            if name in code:
                with _named(name):
                    values[name] = spec.read(code[name], source)
        if self.check is not None:
            self.check(values, source.sizes)
        return values

    def _check_names(self, found: Mapping[str, Any]) -> None:
        unknown = [name for name in found if name not in self.specs]
        if unknown:
            raise Refusal(f"holds {short(unknown[0])}, which is not declared")
        missing = [name for name in self.specs if name not in found and name not in self.optional]
        if missing:
            raise Refusal(f"has no {missing[0]}")


@dataclass(frozen=True)
class Record(Spec):
    """A value of one class, built from its fields.

    Parameters
    ----------
    place : str, "module:class"
    fields : Fields
    """

    place: str
    fields: Fields

    @property
    def kind(self) -> Any:
        """The class."""
        return class_at(self.place)

    def write(self, value: Any, out: Stored) -> Any:
        if type(value) is not self.kind:
            raise Refusal(f"is a {type(value).__name__}, expected {self.place.split(':')[1]}")
        with out.scope():
            return self.fields.write({n: getattr(value, n) for n in field_names(self.kind)}, out)

    def read(self, code: Any, source: Stored) -> Any:
        with source.scope():
            return self.kind(**self.fields.read(code, source))


def class_at(place: str) -> Any:
    """The class at "module:class", imported when it is asked for."""
    module, name = place.split(":")
    return getattr(import_module(module), name)


def field_names(kind: Any) -> list[str]:
    """Names of the arguments of a dataclass or a named tuple."""
    if is_dataclass(kind):
        return [entry.name for entry in fields(kind) if entry.init]
    return list(kind._fields)


@contextmanager
def _named(name: str) -> Iterator[None]:
    try:
        yield
    except Refusal as refusal:
        raise refusal.inside(name) from None
