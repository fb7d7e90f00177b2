/** Checks src/ against import-rules.json, and rejects import cycles, also cycles of types. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

interface Rules {
  readonly mayImport: Readonly<Record<string, readonly string[]>>
  readonly nobodyImports: readonly string[]
}

const root = 'src'
const rules: Rules = JSON.parse(readFileSync('import-rules.json', 'utf8'))
const imports = readImports()
const problems = [...brokenRules(), ...cycles()]
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)
console.log(`imports: ${imports.size} files follow the import rules, no cycles`)

/** Returns every source file with the files of `src/` that it imports. */
function readImports(): Map<string, string[]> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  return new Map(files.map((file) => [file, importsOf(file)]))
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1]!)
  return specifiers.map((specifier) => normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts'))
}

function* brokenRules(): Iterable<string> {
  for (const [file, targets] of imports) {
    const isTest = file.endsWith('.test.ts') || file.endsWith('.test.kit.ts')
    for (const target of targets) {
      if (target.startsWith('..') || folderOf(file) === folderOf(target)) continue
      const allowed = allowedFor(file)
      if (!allowed) yield `${file}: no rule for this folder in import-rules.json`
      else if (isTest && folderOf(target) === 'testing')
        continue // tests may use the library for test suites
      else if (allowed[0] === '*') continue
      else if (rules.nobodyImports.includes(folderOf(target)) || !allowed.includes(folderOf(target)))
        yield `${file}: may not import ${target} (${folderOf(file)} may import: ${allowed.join(', ') || 'nothing'})`
    }
  }
}

function folderOf(file: string): string {
  return file.split('/')[0]!
}

function allowedFor(file: string): readonly string[] | undefined {
  const path = dirname(file).split('/')
  for (let depth = path.length; depth > 0; depth--) {
    const allowed = rules.mayImport[path.slice(0, depth).join('/')]
    if (allowed) return allowed
  }
  return undefined
}

/** Searches depth first. A file that is found again while it is open closes a cycle. */
function* cycles(): Iterable<string> {
  const done = new Set<string>()
  const open: string[] = []
  function* visit(file: string): Iterable<string> {
    if (done.has(file)) return
    const start = open.indexOf(file)
    if (start >= 0) {
      yield `import cycle: ${[...open.slice(start), file].join(' → ')}`
      return
    }
    open.push(file)
    for (const target of imports.get(file) ?? []) yield* visit(target)
    open.pop()
    done.add(file)
  }
  for (const file of imports.keys()) yield* visit(file)
}
