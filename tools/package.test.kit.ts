import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = process.cwd()

/** What `npm pack` says about a package. */
export interface Packed {
  readonly filename: string
  /** In bytes, as it is downloaded. */
  readonly size: number
  readonly files: readonly { readonly path: string }[]
}

/** A project of somebody else, in which the packed package is installed. */
export interface Project {
  readonly folder: string
  readonly packed: Packed
  /** Writes a file of the project. */
  write(path: string, text: string): void
  /** Runs Node in the folder of the project, and returns what it prints. */
  node(...args: readonly string[]): Promise<string>
  /** The same, with these variables in the environment. */
  nodeWith(variables: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string>
  compile(tsconfig: string): Promise<void>
  remove(): void
}

/** Packs this checkout and installs it, and `more` packages. Dependencies are those of the checkout, so that no registry is needed. */
export async function installedProject(more: readonly string[] = []): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-package-'))
  const packed = await pack(folder)
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'proa'), { recursive: true })
  await run('tar', ['-xzf', join(folder, packed.filename), '--strip-components=1', '-C', join(modules, 'proa')])
  for (const name of [...dependencies(join(modules, 'proa')), '@types/node', 'vitest', ...more]) link(modules, name)
  return {
    folder,
    packed,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    },
    node: (...args) => printed(process.execPath, args, folder),
    nodeWith: (variables, ...args) => printed(process.execPath, args, folder, variables),
    async compile(tsconfig) {
      await printed(join(root, 'node_modules', '.bin', 'tsc'), ['-p', join(folder, tsconfig)], folder)
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** The checkout has been built by whoever runs the tests. */
async function pack(folder: string): Promise<Packed> {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [packed] = JSON.parse((await run('npm', args, { cwd: root, maxBuffer: 1 << 24 })).stdout) as [Packed]
  return packed
}

function dependencies(folder: string): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: object }
  return Object.keys(dependencies)
}

function link(modules: string, name: string): void {
  mkdirSync(dirname(join(modules, name)), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), join(modules, name))
}

async function printed(
  program: string,
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, NODE_V8_COVERAGE: ___, ...env } = process.env
  try {
    return (await run(program, args, { cwd, env: { ...env, HOME: cwd, NO_COLOR: '1', ...variables } })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  }
}
