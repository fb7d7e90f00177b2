/**
 * build.js            builds everything
 * build.js command    builds all scripts of the command
 * build.js SCRIPT…    builds some of them
 *
 * Scripts are bundled directly from the sources, in a second. Only a build of everything runs the compiler, which checks types and writes the
 * modules that tests run and the type declarations of the package.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ScriptName, scriptNames } from '../src/bin/script-choice.js'
import { writeBuildInfo } from './build-info.js'
import { hashOf } from './inputs.js'
import { buildLibrary } from './library.js'
import { writeModuleLists } from './module-lists.js'
import { buildScripts, launcherFiles } from './scripts.js'
import { buildTypes } from './types.js'

const root = process.cwd()

async function buildAll(): Promise<void> {
  mkdirSync(join(root, 'dist'), { recursive: true })
  // A source that is saved during the build is newer than this file, so the next build includes it.
  writeFileSync(join(root, 'dist/.building'), '')
  writeModuleLists(root)
  await Promise.all([compile(), buildScripts(root, scriptNames), buildLibrary(root), writeBuildInfo(root)])
  removeOrphans()
  removeUnknownFiles()
  buildTypes(root)
  renameSync(join(root, 'dist/.building'), join(root, 'dist/.built'))
}

async function buildSome(names: readonly ScriptName[]): Promise<void> {
  writeModuleLists(root)
  await Promise.all([buildScripts(root, names), writeBuildInfo(root)])
}

/** Removes the compiled code of scripts that no longer exist. */
function removeOldCode(): void {
  const folder = join(root, 'dist/compiled')
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, script = '', hash] = /^(.+?)\.([0-9a-f]{16})\./.exec(name) ?? []
    const hashes = ['bin', 'parts'].map((below) => hashOf(join(root, 'dist/bundle', below, script)))
    if (!hashes.includes(hash)) rmSync(join(folder, name), { force: true })
  }
}

function scriptName(word: string): ScriptName {
  const name = scriptNames.find((each) => each === word)
  if (name === undefined) throw new Error(`there is no script ${word}; there are ${scriptNames.join(', ')}`)
  return name
}

async function compile(): Promise<void> {
  const [code] = await once(spawn(join(root, 'node_modules/.bin/tsc'), ['-p', root], { stdio: 'inherit' }), 'close')
  if (code !== 0) process.exit(1)
}

/** Removes the modules of deleted sources, because the test runner would find them. */
function removeOrphans(): void {
  const folders = ['src', 'bench', 'tools', 'examples']
  const sources = new Set(folders.flatMap((folder) => filesBelow(join(root, folder), folder)))
  for (const file of folders.flatMap((folder) => filesBelow(join(root, 'dist', folder), folder))) {
    const [, stem] = /^(.*?)(?:\.d\.ts|\.js|\.js\.map)$/.exec(file) ?? []
    if (stem !== undefined && !sources.has(`${stem}.ts`)) rmSync(join(root, 'dist', file))
  }
}

/** Removes files of an earlier layout or of a killed build, because the package contains all of dist/bundle/. */
function removeUnknownFiles(): void {
  const scripts = scriptNames.map((name) => `${name}.script`)
  const known = { '.': ['bin', 'library', 'parts'], bin: [...scripts, ...launcherFiles] }
  for (const [below, names] of Object.entries(known))
    for (const name of readdirSync(join(root, 'dist/bundle', below)))
      if (!names.includes(name)) rmSync(join(root, 'dist/bundle', below, name), { recursive: true, force: true })
}

function filesBelow(folder: string, name: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(name, file))
}

const [first, ...others] = process.argv.slice(2)
if (first === undefined) await buildAll()
else await buildSome(first === 'command' ? scriptNames : [first, ...others].map(scriptName))
removeOldCode()
