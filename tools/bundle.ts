import { type BuildOptions, build } from 'esbuild'

export interface Bundled {
  readonly text: string
  /** The paths of our own sources in the bundle, relative to the root of the checkout. */
  readonly sources: readonly string[]
}

/** Bundles one entry point. Writes no file. */
export async function bundle(root: string, entry: string, options: BuildOptions): Promise<Bundled> {
  const { outputFiles, metafile } = await build({
    ...bundleOptions(root),
    format: 'cjs',
    ...options,
    entryPoints: [entry],
    write: false,
    metafile: true,
  })
  const sources = Object.keys(metafile.inputs).filter((path) => !path.includes('node_modules/'))
  return { text: outputFiles[0]!.text, sources }
}

export function bundleOptions(root: string): BuildOptions {
  return { absWorkingDir: root, bundle: true, platform: 'node', target: 'node20', logLevel: 'warning' }
}

/** CommonJS has no `import.meta`. The variable `here` replaces it; `bannerForUrl` defines that variable. */
export const defineUrl = { 'import.meta.url': 'here.url' }
export const bannerForUrl = 'const here = { get url() { return require("node:url").pathToFileURL(__filename).href } };'
