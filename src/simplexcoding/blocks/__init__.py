"""Rows that do not fit in memory, as blocks that can be read again and again."""

from simplexcoding.blocks.arrays import from_arrays
from simplexcoding.blocks.block import Block, Blocks, Part
from simplexcoding.blocks.collections import from_dask
from simplexcoding.blocks.loader import from_loader
from simplexcoding.blocks.parquet import from_parquet

__all__ = ["Block", "Blocks", "Part", "from_arrays", "from_dask", "from_loader", "from_parquet"]
