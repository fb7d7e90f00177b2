import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** One import of a source file. */
interface ModuleImport {
  /** The imported file, relative to the root: `src/base/clock.ts`. */
  readonly target: string
  /** The imported names; undefined for all of them: `import * as`, `export *`, or a dynamic import that does not name what it uses. */
  readonly names: readonly string[] | undefined
  /** False for imports of types, which the compiler removes: they run nothing. */
  readonly isValue: boolean
}

/** The files that a program consists of, found by following imports from its entry points through the sources. */
export class ImportGraph {
  readonly #root: string
  readonly #imports = new Map<string, readonly ModuleImport[]>()

  constructor(root: string) {
    this.#root = root
  }

  /** The files that `entries` reach by imports of values, with the names that are imported from each; undefined means all of its names. */
  reachedFrom(entries: readonly string[]): ReadonlyMap<string, ReadonlySet<string> | undefined> {
    const reached = new Map<string, Set<string> | undefined>()
    const pending = [...entries]
    for (const entry of entries) reached.set(entry, undefined)
    for (let file = pending.pop(); file !== undefined; file = pending.pop())
      for (const { target, names } of this.#importsOf(file).filter(({ isValue }) => isValue)) {
        if (!reached.has(target)) pending.push(target)
        reached.set(target, withNames(reached, target, names))
      }
    return reached
  }

  /** Whether one of `files` imports `target`, types included. */
  isImportedBy(target: string, files: Iterable<string>): boolean {
    for (const file of files) if (this.#importsOf(file).some((each) => each.target === target)) return true
    return false
  }

  #importsOf(file: string): readonly ModuleImport[] {
    const known = this.#imports.get(file)
    if (known) return known
    const path = join(this.#root, file)
    const imports = path.endsWith('.ts') && existsSync(path) ? importsIn(readFileSync(path, 'utf8'), file) : []
    this.#imports.set(file, imports)
    return imports
  }
}

/** The names that are known to be imported from `target`, with further ones. */
function withNames(
  reached: ReadonlyMap<string, Set<string> | undefined>,
  target: string,
  names: readonly string[] | undefined,
): Set<string> | undefined {
  const known = reached.has(target) ? reached.get(target) : new Set<string>()
  return known && names && new Set([...known, ...names])
}

/** `import … from`, `export … from` and `import()`, as Biome formats them. */
export function importsIn(source: string, file: string): ModuleImport[] {
  const target = (specifier: string) => normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts')
  const clauses = source.matchAll(/^(?:import|export) (type )?([\w{*][^'"=]*?)?\s*(?:from )?'(\.[^']+)'/gm)
  const calls = source.matchAll(
    /(?:\(await import\('(\.[^']+)'\)\)\.(\w+)|\{([^{}]*)\} = await import\('(\.[^']+)'\))/g,
  )
  const others = source.matchAll(/\bimport\('(\.[^']+)'\)/g)
  const named = new Set<string>()
  const found: ModuleImport[] = []
  for (const [, isType, clause = '', specifier = ''] of clauses) {
    const names = namesIn(clause)
    const values = names?.filter((name) => !name.startsWith('type '))
    const isValue = isType === undefined && (values === undefined || values.length > 0 || names?.length === 0)
    found.push({ target: target(specifier), names: values, isValue })
  }
  for (const [, one, member = '', members = '', several] of calls) {
    const specifier = one ?? several ?? ''
    named.add(specifier)
    found.push({ target: target(specifier), names: one ? [member] : namesIn(`{${members}}`), isValue: true })
  }
  for (const [, specifier = ''] of others)
    if (!named.has(specifier)) found.push({ target: target(specifier), names: undefined, isValue: true })
  return found
}

/** The names in `{ a, b as c, type D }`; undefined for `* as x`. A type keeps its mark: `type D`. */
function namesIn(clause: string): string[] | undefined {
  if (clause.includes('*')) return undefined
  const [, list = ''] = /\{([^}]*)\}/s.exec(clause) ?? []
  return list
    .split(',')
    .map((each) => each.trim().split(/ as |: /)[0]!)
    .filter((name) => name !== '')
}
