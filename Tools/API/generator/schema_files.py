# SPDX-License-Identifier: Apache-2.0
"""The files of schemas: each has a schema of the API, its limits, its enumerations, its patch, and the same for its nested objects."""

from . import descriptors, enumerations, patches, schemas
from .swift import Part, source_files
from .table import Schema, Table


def files(table: Table):
    for name, schema in table.schemas.items():
        if "." not in name:
            inner = [table.schemas[other] for other in sorted(table.schemas) if other.startswith(f"{name}.")]
            yield from source_files(f"Schemas/{name}", {
                "": schemas.parts(table, schema) + descriptors.field_limits(table, schema),
                "+Enumerations": enumerations.parts(table, name),
                "+Patch": patches.parts(table, schema),
                "+Objects": [part for other in inner for part in all_parts(table, other)],
            })


def all_parts(table: Table, schema: Schema) -> list[Part]:
    return schemas.parts(table, schema) + enumerations.parts(table, schema.name) + patches.parts(table, schema)
