import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * The libraries that a program is loaded with, and its loader, as `ldd` finds them: absolute paths. None for a program that
 * needs none.
 */
export async function sharedLibraries(program: string): Promise<string[]> {
  try {
    const { stdout } = await run('ldd', [program])
    return librariesIn(stdout)
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    if (/not a dynamic executable|statically linked/.test(stdout + stderr)) return []
    throw error
  }
}

/** Lines are `name => /path (address)`, or `/path (address)` for the loader. */
export function librariesIn(output: string): string[] {
  const missing = /(\S+) => not found/.exec(output)
  if (missing) throw new Error(`the library ${missing[1]} is not there`)
  return [...output.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map((match) => match[1]!)
}
