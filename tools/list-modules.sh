#!/bin/sh
# usage: list-modules.sh FOLDER DEPTH COLLECTOR CONSTANT COMMENT
# Writes FOLDER/declarations.ts, which imports every module at least DEPTH levels below FOLDER and exports as CONSTANT what COLLECTOR, given as
# module#function, finds in them. So a new kind or plugin is found without being registered. Git ignores that file: every build writes it again.
set -eu
folder=$1 depth=$2 collector=$3 constant=$4 comment=$5
cd "$(dirname "$0")/.."
cd "$folder"
# A temporary file in src/ would make the folder newer than dist/.built and trigger a build each time.
new=$(mktemp)
trap 'rm -f "$new"' EXIT

{
  echo '// Written by tools/list-modules.sh. Do not edit.'
  echo "import { ${collector#*#} } from '${collector%#*}'"
  files=$(find . -mindepth "$depth" -name '*.ts' ! -name '*.test.ts' ! -name '*.test.kit.ts' \
    ! -path ./declarations.ts ! -path ./registry.ts | LC_ALL=C sort)
  n=0
  for file in $files; do
    n=$((n + 1))
    echo "import * as m$n from '${file%.ts}.js'"
  done
  echo
  echo "/** $comment */"
  echo "export const $constant = ${collector#*#}(["
  i=0
  while [ $i -lt $n ]; do
    i=$((i + 1))
    echo "  m$i,"
  done
  echo '])'
} >"$new"
cmp -s "$new" declarations.ts || cp "$new" declarations.ts
