import { spawn } from 'node:child_process'
import { delimiter } from 'node:path'
import { programFolders } from '../base/programs.js'

export interface ProgramCall {
  readonly program: string
  readonly args?: readonly string[]
  readonly input?: string
  readonly variables?: Readonly<Record<string, string>>
}

export interface ProgramOutcome {
  readonly code: number | null
  readonly output: string
  readonly complaint: string
}

/** Rejects only if it cannot be started. */
export function runProgram({ program, args = [], input = '', variables = {} }: ProgramCall): Promise<ProgramOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'pipe', env: { PATH: programFolders().join(delimiter), ...variables } })
    let [output, complaint] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    child.stdin.on('error', () => {}) // it did not want to hear all of it
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output, complaint }))
    child.stdin.end(input)
  })
}

/** Its output. Rejects with its words if it fails. */
export async function outputOf(call: ProgramCall): Promise<string> {
  const { code, output, complaint } = await runProgram(call)
  if (code !== 0) throw new Error(`${call.program} ${call.args?.join(' ') ?? ''}: ${complaint.trim() || output.trim()}`)
  return output
}
