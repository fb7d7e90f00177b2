#!/bin/sh
# Writes src/controllers/definitions.ts, which imports the definition of every controller: src/controllers/<name>/controller.ts. So a new
# folder is a new controller, and nothing registers it. Git ignores that file: every build writes it again.
set -eu
cd "$(dirname "$0")/../src/controllers"
# A temporary file in src/ would make the folder newer than dist/.built and trigger a build each time.
new=../../dist/definitions.ts
mkdir -p ../../dist

{
  echo '// Written by tools/list-controllers.sh. Do not edit.'
  files=$(find . -mindepth 2 -maxdepth 2 -name controller.ts | LC_ALL=C sort)
  n=0
  for file in $files; do
    n=$((n + 1))
    echo "import { definition as d$n } from '${file%.ts}.js'"
  done
  echo
  echo '/** Every controller that Proa has, in the order of the folders. */'
  echo 'export const definitions = ['
  i=0
  while [ $i -lt $n ]; do
    i=$((i + 1))
    echo "  d$i,"
  done
  echo '] as const'
} >"$new"
cmp -s "$new" definitions.ts || cp "$new" definitions.ts
