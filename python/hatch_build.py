"""Adds the npm package and its production dependencies to the wheel."""

import json
import shutil
import subprocess
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The only optional package is TypeScript, which is compiled for one platform and not used.
INSTALL = ["npm", "ci", "--omit=dev", "--omit=peer", "--omit=optional", "--ignore-scripts", "--no-bin-links"]
QUIET = ["--loglevel=error", "--prefer-offline", "--no-audit", "--no-fund"]


class NpmPackage(BuildHookInterface[BuilderConfig]):
    """Packs the checkout as npm does, and installs the versions of package-lock.json."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        checkout = Path(self.root).parent
        if not (checkout / "node_modules").exists():
            raise RuntimeError(f"expected the installed packages of {checkout}, received none. Run npm ci there.")
        self.folder = TemporaryDirectory()
        pack = ["npm", "pack", "--json", "--pack-destination", self.folder.name, *QUIET]
        [packed] = json.loads(subprocess.check_output(pack, cwd=checkout))
        with tarfile.open(Path(self.folder.name, packed["filename"])) as tarball:
            tarball.extractall(self.folder.name, filter="data")
        package = Path(self.folder.name, "package")
        shutil.copy(checkout / "package-lock.json", package)
        subprocess.check_call([*INSTALL, *QUIET], cwd=package, stdout=subprocess.DEVNULL)
        build_data["force_include"][str(package)] = "agent_touchstone/node"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        self.folder.cleanup()
