"""Answers with named fields, as the program prints them in JSON."""

from __future__ import annotations

from typing import Any, Generic, NoReturn, TypeVar, overload

T = TypeVar("T")


class Fields:
    """An answer: a dict, some of whose fields are attributes."""

    __slots__ = ("_stored",)

    def __init__(self, fields: dict[str, Any] | None) -> None:
        self._stored = fields

    @property
    def _fields(self) -> dict[str, Any]:
        return self._stored or {}

    def to_dict(self) -> dict[str, Any]:
        """Everything, as the program prints it in JSON."""
        return dict(self._fields)


class Field(Generic[T]):
    """An attribute that is the field of the same name; None if the answer has no such field."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type[Fields], name: str) -> None:
        self._name = name

    @overload
    def __get__(self, fields: None, owner: type[Fields]) -> Field[T]: ...
    @overload
    def __get__(self, fields: Fields, owner: type[Fields]) -> T: ...
    def __get__(self, fields: Fields | None, owner: type[Fields]) -> Any:
        return self if fields is None else fields._fields.get(self._name)

    def __set__(self, fields: Fields, value: object) -> NoReturn:
        raise AttributeError(f"`{self._name}` cannot be set")
