#!/bin/sh
# Brings dist/ up to date: installs the dependencies when the lock file changed, compiles when a source changed.
# Everything that runs Proa from a checkout comes through here: ./proa, npm test, npm run bench.
set -eu
cd "${0%/*}/.."

# Before anything fails in ways that nobody would understand.
check_node() {
  if ! command -v node >/dev/null; then
    echo "proa: Node is needed, 20.15 or newer, and there is none on the PATH; install it" >&2
    exit 1
  fi
  if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 15) ? 0 : 1)'; then
    echo "proa: Node 20.15 or newer is needed, and this is $(node --version); install a newer one" >&2
    exit 1
  fi
}

# A linked node_modules belongs to another checkout, which keeps it up to date.
if [ ! -L node_modules ] && { [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; }; then
  check_node
  echo "proa: installing dependencies" >&2
  # Not `npm ci`: it refuses a lock file without the binaries of every other platform, and not every registry has those.
  npm install --no-save --no-fund --no-audit --loglevel=error >&2
  touch node_modules/.package-lock.json
fi

if [ -e dist/.built ] &&
  [ -z "$(find src bench tools examples package.json tsconfig.json node_modules/.package-lock.json -newer dist/.built -print -quit)" ]; then
  exit 0
fi

check_node
echo "proa: building" >&2
mkdir -p dist
touch dist/.building # sources saved while the compiler runs are newer than this, and are built next time
sh tools/list-modules.sh src/api 3 '../schema/declaration.js#declarationsIn' declarations \
  'Every declaration that Proa has, in no particular order.'
sh tools/list-modules.sh src/scheduler/plugins 1 '../framework/declaration.js#pluginsIn' pluginDeclarations \
  'Every scheduler plugin, in no particular order.'
sh tools/list-controllers.sh
node_modules/.bin/tsc -p .
# A source that is gone must not go on living in dist/, where the test runner would find it.
find dist/* -name '*.js' -not -path 'dist/bundle/*' | while read -r built; do
  source=${built#dist/}
  [ -e "${source%.js}.ts" ] || rm -f "$built" "$built.map" "${built%.js}.d.ts" "${built%.js}.d.ts.map"
done
# What /version tells: who was built, from what and when.
node -e '
const { execFileSync } = require("node:child_process")
const { version } = JSON.parse(require("node:fs").readFileSync("package.json", "utf8"))
const git = (...args) => { try { return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim() } catch { return undefined } }
const commit = git("rev-parse", "HEAD") ?? "unknown"
const treeState = commit === "unknown" ? "unknown" : git("status", "--porcelain") === "" ? "clean" : "dirty"
const date = new Date().toISOString().replace(/\.\d+Z$/, "Z")
require("node:fs").writeFileSync("dist/build.json", JSON.stringify({ version, commit, treeState, date }) + "\n")'
# What runs is a script and not a thousand modules: loading those one by one costs more than all that they do at start. With it goes what
# the compiler of the running Node made of it (tools/compile.ts). Each lies two folders below dist/, as the compiler's files do, and finds
# dist/build.json in the same place. Such a script may not import anything late, only require it.
rm -rf dist/bundle.new
bundle() { node_modules/.bin/esbuild "$@" --bundle --platform=node --target=node20 --log-level=warning; }
# Each is a function, as src/base/compiled-script.ts calls it.
script() {
  bundle "$@" --format=cjs --supported:dynamic-import=false --define:import.meta.url=here.url --footer:js='})' \
    --banner:js='(function (exports, require, module, __filename, __dirname) {
const here = { get url() { return require("node:url").pathToFileURL(__filename).href } };'
}
script dist/src/bin/commands.js --outfile=dist/bundle.new/bin/commands.script --packages=external
script dist/src/testing/index.js --outfile=dist/bundle.new/testing/testing.script --packages=external --minify-whitespace --minify-syntax
# kubectl is started again and again: it has in it what it needs of its dependencies (ws apart), too. Those come as CommonJS, so that
# nothing of them is compiled before it is used.
for name in kubectl kubectl-get; do
  script dist/src/bin/$name.js --outfile=dist/bundle.new/bin/$name.script --minify --external:ws --alias:yaml=./node_modules/yaml/dist/index.js
done
# What loads them, and the API's declarations by themselves.
bundle dist/src/bin/proa.js --outfile=dist/bundle.new/bin/proa.cjs --minify --format=cjs
bundle dist/src/testing/library.js --outfile=dist/bundle.new/testing/index.js --format=esm
bundle dist/src/api/scheme.js --outfile=dist/bundle.new/api/scheme.js --format=esm --packages=external --sourcemap
chmod +x dist/bundle.new/bin/proa.cjs
# At once, and only when it is whole: somebody may be starting the old one.
rm -rf dist/bundle && mv dist/bundle.new dist/bundle
# Until this is done they start as well, and more slowly.
for name in bin/commands testing/testing bin/kubectl bin/kubectl-get; do
  node --use-openssl-ca dist/tools/compile.js "$PWD/dist/bundle/$name.script"
done
mv dist/.building dist/.built
