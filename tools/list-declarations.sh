#!/bin/sh
# Writes src/api/declarations.ts, which imports every module below src/api/<group>/<version>/, so that a new kind is found without being
# registered. Git ignores that file: every build writes it again.
set -eu
cd "$(dirname "$0")/../src/api"
# A temporary file in src/ would make the folder newer than dist/.built and trigger a build each time.
new=../../dist/declarations.ts
mkdir -p ../../dist

{
  echo '// Written by tools/list-declarations.sh. Do not edit.'
  echo "import { declarationsIn } from '../schema/declaration.js'"
  files=$(find . -mindepth 3 -name '*.ts' ! -name '*.test.ts' | LC_ALL=C sort)
  n=0
  for file in $files; do
    n=$((n + 1))
    echo "import * as m$n from '${file%.ts}.js'"
  done
  echo
  echo '/** Every declaration that Proa has, in no particular order. */'
  echo 'export const declarations = declarationsIn(['
  i=0
  while [ $i -lt $n ]; do
    i=$((i + 1))
    echo "  m$i,"
  done
  echo '])'
} >"$new"
cmp -s "$new" declarations.ts || cp "$new" declarations.ts
