#!/bin/sh
# build.sh           brings all of dist/ up to date, for npm test, npm run bench and npm pack
# build.sh command   builds all scripts of the command: ./proa calls this the first time
# build.sh SCRIPT…   builds only these: ./proa calls this when their sources have changed
# Installs the dependencies first when the lock file changed.
set -eu
cd "${0%/*}/.."

# Checks the version of Node first, because later errors would be hard to understand.
check_node() {
  if ! command -v node >/dev/null; then
    echo "proa: there is no Node on the PATH; install Node 20.15 or newer" >&2
    exit 1
  fi
  if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 15) ? 0 : 1)'; then
    echo "proa: Node $(node --version) is too old; install Node 20.15 or newer" >&2
    exit 1
  fi
}
[ -e dist/build.mjs ] || check_node

# A linked node_modules belongs to another checkout, which keeps it up to date.
if [ ! -L node_modules ] && { [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; }; then
  check_node
  echo "proa: installing dependencies" >&2
  # Not `npm ci`: it rejects a lock file without the binaries of all platforms, and not every registry has them.
  npm install --no-save --no-fund --no-audit --loglevel=error >&2
  touch node_modules/.package-lock.json
fi

if [ $# -eq 0 ] && [ -e dist/.built ] &&
  [ -z "$(find src bench tools examples package.json tsconfig.json node_modules/.package-lock.json -newer dist/.built -print -quit)" ]; then
  exit 0
fi

echo "proa: building" >&2
# Writes to a temporary name first, because several commands may build at the same time.
node_modules/.bin/esbuild tools/build.ts --bundle --packages=external --platform=node --target=node20 --format=esm \
  --outfile=dist/build.mjs.$$ --log-level=warning
mv dist/build.mjs.$$ dist/build.mjs
exec node dist/build.mjs "$@"
