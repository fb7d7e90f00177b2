import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { build, type Plugin, transform } from 'esbuild'
import { bannerForUrl, bundle, bundleOptions, defineUrl } from './bundle.js'
import { publicModules } from './declarations.js'
import { OutputFolder, withHash } from './output.js'

/** A module that users import: `proa/client` exports the namespace `client` of the part `client`. */
interface EntryPoint {
  /** `api/core/v1/pod` */
  readonly path: string
  readonly part: PartName
  readonly namespaces: readonly string[]
}

type PartName = 'client' | 'api' | 'testing'
type Part = Readonly<Record<string, object>>

/** These folders are two levels below dist/, because the code finds dist/build.json relative to its own file. */
const partsFolder = 'dist/bundle/parts'
const entriesFolder = 'dist/bundle/library'

const minification = { minifySyntax: true, minifyWhitespace: true, lineLimit: 200 } as const

/**
 * Builds the library that users import. Each module is in exactly one part, so that `instanceof` works with every combination of entry points.
 * Parts and entry points are CommonJS, because Node 20 cannot `require` ES modules; ES modules import the same files.
 */
export async function buildLibrary(root: string): Promise<void> {
  const parts = new OutputFolder(join(root, partsFolder))
  const loader = await bundle(root, 'src/bin/process/library-loader.ts', minification)
  parts.write('library-loader.cjs', loader.text)
  await buildParts(root, parts)
  parts.removeOthers()
  const entries = new OutputFolder(join(root, entriesFolder))
  const names = namesIn(parts.path)
  for (const entry of entryPoints(root)) entries.write(`${entry.path}.cjs`, entryText(entry, names(entry.part)))
  entries.removeOthers()
}

function entryPoints(root: string): EntryPoint[] {
  const files = publicModules(root)
  const versions = [...new Set(files.map(({ version }) => version))]
  const api = (path: string, namespaces: readonly string[]) => ({
    path: `api/${path}`,
    part: 'api' as const,
    namespaces,
  })
  return [
    { path: 'client', part: 'client', namespaces: ['client'] },
    { path: 'controllers', part: 'client', namespaces: ['controllers'] },
    { path: 'testing', part: 'testing', namespaces: ['testing'] },
    ...files.map(({ path }) => api(path, [path])),
    ...versions.map((each) =>
      api(
        each,
        files.filter(({ version }) => version === each).map(({ path }) => path),
      ),
    ),
  ]
}

/** Returns the text of an entry point. Node reads lines of this form to find the names that an ES module can import. */
function entryText({ path, part, namespaces }: EntryPoint, parts: Part): string {
  const folder = relative(join(entriesFolder, dirname(path)), partsFolder)
  const lines = namespaces.flatMap((namespace) =>
    Object.keys(parts[namespace]!).map((name) => [name, `part[${JSON.stringify(namespace)}].${name}`] as const),
  )
  const exports = new Map(lines)
  if (exports.size < lines.length) throw new Error(`two files of proa/${path} export the same name`)
  return `'use strict'
const part = require('${folder}/library-loader.cjs').loadLibraryPart('${part}.cjs', () => require('${folder}/${part}.cjs'))
${[...exports].map(([name, value]) => `exports.${name} = ${value}`).join('\n')}
`
}

/** Returns a function that loads a part for its names. This also checks that the part can be loaded. */
function namesIn(folder: string): (part: PartName) => Part {
  const require = createRequire(join(folder, 'library-loader.cjs'))
  return (part) => require(`./${part}.cjs`)
}

/** Builds the parts. esbuild splits only ES modules, so a second step converts each to CommonJS. */
async function buildParts(root: string, folder: OutputFolder): Promise<void> {
  const { outputFiles } = await build({
    ...bundleOptions(root),
    ...minification,
    entryPoints: Object.keys(partTexts(root)).map((name) => ({ in: `part:${name}`, out: name })),
    plugins: [partsPlugin(root)],
    format: 'esm',
    packages: 'external',
    splitting: true,
    chunkNames: 'shared-[hash]',
    outExtension: { '.js': '.cjs' },
    outdir: partsFolder,
    write: false,
  })
  await Promise.all(
    outputFiles.map(async ({ path, text }) => folder.write(basename(path), withHash(await asCommonJs(text)).text)),
  )
}

/** Converts an ES module to CommonJS. The last line replaces getters by values, because exports never change. */
async function asCommonJs(text: string): Promise<string> {
  const { code } = await transform(text, {
    ...minification,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    define: defineUrl,
    banner: bannerForUrl,
    footer: 'module.exports = { ...module.exports };',
  })
  return code
}

function partsPlugin(root: string): Plugin {
  const texts = partTexts(root)
  return {
    name: 'parts',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice('part:'.length), namespace: 'part' }))
      onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => ({
        contents: texts[path as PartName],
        resolveDir: root,
      }))
    },
  }
}

/** Three parts: a program that uses only a client does not load all kinds, and one that uses kinds loads no server. */
function partTexts(root: string): Readonly<Record<PartName, string>> {
  const kinds = publicModules(root)
  const line = (name: string, path: string) => `export * as ${JSON.stringify(name)} from './src/${path}.ts'`
  return {
    client: [line('client', 'client/index'), line('controllers', 'controllers/index')].join('\n'),
    api: kinds.map(({ path }) => line(path, `api/${path}`)).join('\n'),
    testing: line('testing', 'testing/index'),
  }
}
