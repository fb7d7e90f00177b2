import { isMissing } from '../../client/host-access.js'
import { quote } from '../../schema/quote.js'
import type { DiffCall } from './flags.js'

const longestOutput = 1 << 28

/** Runs the program that compares two folders, and prints what it says. Resolves with 0 or 1; anything else is a failure. */
export async function diffProgram({ factory, out }: DiffCall, live: string, merged: string): Promise<number> {
  const { machine, signal } = factory.surroundings
  const { variables } = machine
  const { KUBECTL_EXTERNAL_DIFF: external = '' } = variables
  const { command, args } = programOf(external, [live, merged])
  const program = { command, args, variables, interactive: false, longestOutput, signal }
  const { code, output } = await machine.run(program).catch((error: unknown) => {
    const why = isMissing(error) ? 'executable file not found in $PATH' : (error as Error).message
    throw new Error(`failed to run ${quote(command)}: ${why}`, { cause: error })
  })
  await out(output)
  if (code === 0 || code === 1) return code
  throw new Error(`failed to run ${quote(command)}: ${code === undefined ? 'signal: killed' : `exit status ${code}`}`)
}

/** Arguments of the variable may be flags, and nothing that a shell would understand. */
function programOf(external: string, folders: readonly string[]) {
  if (external === '') return { command: 'diff', args: ['-u', '-N', ...folders] }
  const [command = '', ...more] = external.split(' ')
  return { command, args: [...folders, ...more.filter((argument) => /^[a-zA-Z0-9=-]+$/.test(argument))] }
}
