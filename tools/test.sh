#!/bin/sh
# npm test: every check that a change must pass. With arguments, only tests whose path contains one of them.
set -eu
cd "$(dirname "$0")/.."
sh tools/build.sh
if [ $# -eq 0 ]; then
  node_modules/.bin/biome ci --reporter=summary .
  node dist/tools/check-imports.js
fi
exec node --enable-source-maps dist/tools/run-tests.js "$@"
