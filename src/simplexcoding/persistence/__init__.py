"""Fitted models in files that are safe to open."""

from simplexcoding.persistence.files import ModelFile, load, open_model_file, save
from simplexcoding.persistence.refusal import ModelFileError

__all__ = ["ModelFile", "ModelFileError", "load", "open_model_file", "save"]
