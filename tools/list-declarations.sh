#!/bin/sh
# Writes src/api/index.ts: the list of every declaration file below src/api/<group>/<version>/.
# A new kind is one new file; this is what makes the rest of Proa see it.
set -eu
cd "$(dirname "$0")/../src/api"
# Written elsewhere first: a folder in which files come and go would look changed to tools/build.sh.
new=../../dist/declarations.ts
mkdir -p ../../dist

{
  echo '// Written by tools/list-declarations.sh from the files in this folder. Do not edit.'
  echo "import { declarationsIn } from '../schema/declaration.js'"
  files=$(find . -mindepth 3 -maxdepth 3 -name '*.ts' ! -name '*.test.ts' ! -name '*.rules.ts' | sort)
  n=0
  for file in $files; do
    n=$((n + 1))
    echo "import * as m$n from '${file%.ts}.js'"
  done
  echo
  echo '/** Every type and kind that Proa serves, in no particular order. */'
  echo 'export const declarations = declarationsIn(['
  i=0
  while [ $i -lt $n ]; do
    i=$((i + 1))
    echo "  m$i,"
  done
  echo '])'
} >"$new"
cmp -s "$new" index.ts || cp "$new" index.ts
