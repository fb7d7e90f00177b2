import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Returns the absolute paths of the shared libraries and the loader of a program, as `ldd` finds them. Empty for a static program.
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

/** Parses lines of the form `name => /path (address)`, or `/path (address)` for the loader. */
export function librariesIn(output: string): string[] {
  const missing = /(\S+) => not found/.exec(output)
  if (missing) throw new Error(`shared library not found: ${missing[1]}`)
  return [...output.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map((match) => match[1]!)
}
