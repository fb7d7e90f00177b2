#!/bin/sh
# npm test: everything that must hold before a change lands. Arguments narrow the tests to files whose path contains one of them.
set -eu
cd "$(dirname "$0")/.."
sh tools/build.sh
if [ $# -eq 0 ]; then
  node_modules/.bin/biome ci --reporter=summary .
  node dist/tools/check-imports.js
fi
exec node --enable-source-maps dist/tools/run-tests.js "$@"
