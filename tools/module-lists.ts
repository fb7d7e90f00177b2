import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * A source that the build writes: it imports every module of a certain kind in its folder. So a new kind of the API, a new scheduler plugin,
 * a new admission plugin or a new controller is found without being registered. Git ignores these files.
 */
export interface ModuleList {
  /** `src/api/declarations.ts` */
  readonly file: string
  /** Whether a module is in the list, by its path below the folder of the file: `core/v1/pod.ts`. */
  readonly includes: (path: string) => boolean
  readonly text: (paths: readonly string[]) => string
}

export const moduleLists: readonly ModuleList[] = [
  {
    file: 'src/api/declarations.ts',
    includes: isVersioned,
    text: collected({ constant: 'declarations', by: 'declarationsIn', from: '../schema/declaration.js' }),
  },
  {
    file: 'src/scheduler/plugins/declarations.ts',
    includes: (path) => path !== 'registry.ts',
    text: collected({ constant: 'pluginDeclarations', by: 'pluginsIn', from: '../framework/declaration.js' }),
  },
  {
    file: 'src/apiserver/admission/definitions.ts',
    includes: (path) => /^plugins\/[^/]+\.ts$|^[^/]+\/plugin\.ts$/.test(path),
    text: collected({ constant: 'pluginDefinitions', by: 'admissionPluginsIn', from: './definition.js' }),
  },
  {
    file: 'src/controllers/definitions.ts',
    includes: (path) => /^[^/]+\/controller\.ts$/.test(path),
    text: definitionList,
  },
]

/** Whether the path is of an API version: `core/v1/pod.ts`, or a file in a folder beside it. */
function isVersioned(path: string): boolean {
  return path.split('/').length > 2
}

/** Writes the lists of a checkout. Does not write an unchanged list, so that it causes no build. */
export function writeModuleLists(root: string): void {
  for (const list of moduleLists) {
    const file = join(root, list.file)
    const text = `// Written by tools/module-lists.ts. Do not edit.\n${list.text(modulesOf(root, list))}`
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
  }
}

/** Returns the paths of the modules in a list, relative to the folder of its file. */
export function modulesOf(root: string, { file, includes }: ModuleList): string[] {
  const folder = join(root, dirname(file))
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (path) => path.endsWith('.ts') && !/\.test(\.kit)?\.ts$/.test(path) && join(folder, path) !== join(root, file),
    )
    .filter(includes)
    .sort()
}

/** Returns every folder in which a new file may belong to the list. */
export function searchedFolders(root: string, { file }: ModuleList): string[] {
  const folder = join(root, dirname(file))
  const below = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  return [dirname(file), ...below].sort()
}

interface Collection {
  readonly constant: string
  /** The function that finds declarations among the exports of modules, and the module that it is in. */
  readonly by: string
  readonly from: string
}

function collected({ constant, by, from }: Collection): ModuleList['text'] {
  return (paths) => `import { ${by} } from '${from}'
${paths.map((path, index) => `import * as m${index + 1} from './${specifier(path)}'`).join('\n')}

export const ${constant} = ${by}([
${paths.map((_, index) => `  m${index + 1},`).join('\n')}
])
`
}

function definitionList(paths: readonly string[]): string {
  return `${paths.map((path, index) => `import { definition as d${index + 1} } from './${specifier(path)}'`).join('\n')}

/** Every controller, in the order of the folders. */
export const definitions = [
${paths.map((_, index) => `  d${index + 1},`).join('\n')}
] as const
`
}

function specifier(path: string): string {
  return path.replace(/\.ts$/, '.js')
}
