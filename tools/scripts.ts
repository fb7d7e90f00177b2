import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { serverCommands } from '../src/bin/command-list.js'
import { moduleParameters } from '../src/bin/process/code-cache.js'
import type { ScriptName } from '../src/bin/script-choice.js'
import { bannerForUrl, bundle, defineUrl } from './bundle.js'
import { describeFiles, type Inputs, inputsFile, scriptFile } from './inputs.js'
import { moduleLists, searchedFolders } from './module-lists.js'
import { replaceFile, withHash } from './output.js'

/** kubectl contains its dependencies, except `ws`. They are bundled from CommonJS, so that V8 does not compile unused modules. */
const kubectl: BuildOptions = {
  minify: true,
  external: ['ws'],
  alias: { yaml: './node_modules/yaml/dist/index.js' },
}

interface ScriptSource {
  readonly entry: string
  readonly options: BuildOptions
}

const scripts: Readonly<Record<ScriptName, ScriptSource>> = {
  commands: { entry: 'src/bin/commands.ts', options: { packages: 'external' } },
  kubectl: { entry: 'src/bin/kubectl/kubectl.ts', options: kubectl },
  'kubectl-get': { entry: 'src/bin/kubectl/kubectl-get.ts', options: kubectl },
}

/** Bundles scripts of the command, and the launchers. Records the sources of each script. */
export async function buildScripts(root: string, names: readonly ScriptName[]): Promise<void> {
  const begun = Date.now()
  const launchers = await buildLaunchers(root)
  await Promise.all(names.map((name) => buildScript(root, name, { begun, sources: launchers })))
}

interface ScriptBuild {
  readonly begun: number
  readonly sources: readonly string[]
}

/** Bundles one script. Dynamic imports become `require`, because a script has no `import()`. */
async function buildScript(root: string, name: ScriptName, common: ScriptBuild): Promise<void> {
  const { text: bundled, sources } = await bundle(root, scripts[name].entry, {
    ...scripts[name].options,
    supported: { 'dynamic-import': false },
    define: defineUrl,
    banner: { js: `(function (${moduleParameters}) {\n${bannerForUrl}` },
    footer: { js: '})' },
  })
  const { hash, text } = withHash(bundled)
  const paths = new Set([...sources, ...common.sources, ...sourcesOfBuild(root, sources)])
  const files = describeFiles(root, paths, common.begun)
  replaceFile(scriptFile(root, name), text)
  replaceFile(inputsFile(root, name), JSON.stringify({ hash, files } satisfies Inputs))
}

/** The files beside the scripts. */
export const launcherFiles: readonly string[] = ['proa.cjs', 'checkout.cjs', 'servers.sh']

/** Builds the launchers. Resolves with the paths of their sources. */
async function buildLaunchers(root: string): Promise<string[]> {
  const proa = await bundle(root, 'src/bin/proa.ts', { minify: true })
  replaceFile(join(root, 'dist/bundle/bin/proa.cjs'), proa.text, 0o755)
  // The shell script `./proa` reads from this file which commands are servers.
  replaceFile(join(root, 'dist/bundle/bin/servers.sh'), `servers='${serverCommands.join(' ')}'\n`)
  const checkout = await bundle(root, 'tools/checkout.ts', { minify: true })
  replaceFile(join(root, 'dist/bundle/bin/checkout.cjs'), checkout.text)
  return [...proa.sources, ...checkout.sources]
}

/** Returns the other inputs of a build. A new file in a folder that a module list covers may be a new kind, plugin or controller. */
function sourcesOfBuild(root: string, sources: readonly string[]): string[] {
  const tools = readdirSync(join(root, 'tools')).filter((name) => !name.includes('.test.'))
  const lists = moduleLists.filter(({ file }) => sources.includes(file))
  return [
    ...['package.json', 'package-lock.json', 'node_modules/.package-lock.json', 'tsconfig.json'],
    ...tools.map((name) => join('tools', name)),
    ...lists.flatMap((list) => searchedFolders(root, list)),
  ]
}
