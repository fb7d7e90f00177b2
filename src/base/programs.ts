import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Folders of administrative programs, which the PATH of a user often lacks. */
const systemFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/** Returns the folders of programs: those of the PATH first. */
export function programFolders(path = process.env.PATH ?? ''): readonly string[] {
  return [...path.split(delimiter).filter(Boolean), ...systemFolders]
}

/** Returns undefined if the program is not installed. */
export function findProgram(name: string, folders = programFolders()): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // not executable
  }
}

export interface ProgramCall {
  readonly program: string
  readonly args?: readonly string[]
  readonly input?: string
  readonly variables?: Readonly<Record<string, string>>
}

export interface ProgramOutput {
  readonly code: number | null
  readonly output: string
  readonly errorOutput: string
}

/** Runs a program to its end. Rejects only if it cannot be started. */
export function runProgram({ program, args = [], input = '', variables = {} }: ProgramCall): Promise<ProgramOutput> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'pipe', env: { PATH: programFolders().join(delimiter), ...variables } })
    let [output, errorOutput] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput += text
    })
    child.stdin.on('error', () => {}) // the program may end before it has read all of its input
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output, errorOutput }))
    child.stdin.end(input)
  })
}

/** Returns the output of a program. Rejects with its error output if it fails. */
export async function outputOf(call: ProgramCall): Promise<string> {
  const { code, output, errorOutput } = await runProgram(call)
  if (code !== 0)
    throw new Error(`${call.program} ${call.args?.join(' ') ?? ''}: ${errorOutput.trim() || output.trim()}`)
  return output
}
