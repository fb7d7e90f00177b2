import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of declarations, below src/api/: `core/v1/pod`. */
export interface DeclarationFile {
  readonly path: string
  /** `core/v1` */
  readonly version: string
  /** Whether users of the package can import it. The others are rules and defaults, which only a server needs. */
  readonly isPublic: boolean
}

/** Where files with declarations are looked for: src/api/<group>/<version>/. */
export function versionFolders(root: string): string[] {
  const folders = (below: string) =>
    readdirSync(join(root, 'src/api', below), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => join(below, name))
  return folders('.').flatMap(folders).sort()
}

export function declarationFiles(root: string): DeclarationFile[] {
  return versionFolders(root).flatMap((version) =>
    readdirSync(join(root, 'src/api', version))
      .filter((name) => name.endsWith('.ts') && !/\.(test|test\.kit)\.ts$/.test(name))
      .sort()
      .map((name) => ({
        path: join(version, name.slice(0, -'.ts'.length)),
        version,
        isPublic: declaresType(readFileSync(join(root, 'src/api', version, name), 'utf8')),
      })),
  )
}

/** `export const Pod = kind(…)`, and the same for other types and enumerations. */
function declaresType(text: string): boolean {
  return /^export const [A-Z]\w* = \w+\(/m.test(text)
}

/** Writes src/api/index.ts: a new kind is one new file, and this list makes the rest of Proa see it. */
export function listDeclarations(root: string): void {
  const file = join(root, 'src/api/index.ts')
  const text = indexText(declarationFiles(root).map(({ path }) => path))
  if (readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

function indexText(paths: readonly string[]): string {
  return `// Written by tools/declarations.ts from the files in this folder. Do not edit.
import { declarationsIn } from '../schema/declaration.js'
${paths.map((path, index) => `import * as m${index + 1} from './${path}.js'`).join('\n')}

/** Every type and kind that Proa serves, in no particular order. */
export const declarations = declarationsIn([
${paths.map((_, index) => `  m${index + 1},`).join('\n')}
])
`
}
