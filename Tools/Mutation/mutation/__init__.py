# SPDX-License-Identifier: Apache-2.0
import pathlib
import sys

# For its package `checks`.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "Tools" / "Checks"))
