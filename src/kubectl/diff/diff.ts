import { isMissing } from '../../client/host-access.js'
import { quote } from '../../schema/quote.js'
import { command } from '../command.js'
import { CommandUsageError, ExitCodeError, throwAll } from '../command-errors.js'
import { matchesSelector, requireFiles, select } from '../resources/selection.js'
import { type DiffContext, diffFlags } from './flags.js'
import { DiffStates } from './states.js'

export const diff = command({
  usage: '-f FILENAME [options]',
  about: `Show what would change if files were applied: objects as they are, and as they would be. Ends with code 0 where nothing
would change, with 1 where something would, and with a higher one where something goes wrong. KUBECTL_EXTERNAL_DIFF names
another program than diff to compare with.`,
  examples: ['kubectl diff -f web.yaml', 'cat web.yaml | kubectl diff -f -'],
  flags: diffFlags,
  failureCode: 2,
  run: runDiff,
})

async function runDiff(call: DiffContext): Promise<void> {
  const { flags: given, args, path, factory } = call
  requireFiles(call)
  if (given['force-conflicts'] && !given['server-side'])
    throw new Error('--force-conflicts only works with --server-side')
  if (args.length > 0) throw new CommandUsageError(path, `Unexpected args: [${args.join(' ')}]`)
  const { files: folders } = factory.environment
  const live = await folders.temporaryDirectory('LIVE-')
  const merged = await folders.temporaryDirectory('MERGED-')
  try {
    const { manifests, errors } = await select(factory, { ...given, selector: '' })
    throwAll(errors)
    const states = new DiffStates(call, { live, merged })
    for (const info of manifests) if (matchesSelector(info.object, given.selector)) await states.write(info)
    const code = await diffProgram(call, live, merged)
    if (code !== 0) throw new ExitCodeError(code)
  } finally {
    await Promise.all([folders.removeTree(live), folders.removeTree(merged)])
  }
}

const longestOutput = 1 << 28

/** Runs the diff program on two directories and prints its output. Resolves with 0 or 1; other exit codes are errors. */
async function diffProgram({ factory, out }: DiffContext, live: string, merged: string): Promise<number> {
  const { host, signal } = factory.environment
  const { variables } = host
  const { KUBECTL_EXTERNAL_DIFF: external = '' } = variables
  const { command, args } = programOf(external, [live, merged])
  const program = { command, args, variables, interactive: false, longestOutput, signal }
  const { code, output } = await host.run(program).catch((error: unknown) => {
    const why = isMissing(error) ? 'executable file not found in $PATH' : (error as Error).message
    throw new Error(`failed to run ${quote(command)}: ${why}`, { cause: error })
  })
  await out(output)
  if (code === 0 || code === 1) return code
  throw new Error(`failed to run ${quote(command)}: ${code === undefined ? 'signal: killed' : `exit status ${code}`}`)
}

/** Accepts only flags in the variable, nothing that a shell would interpret. */
function programOf(external: string, folders: readonly string[]) {
  if (external === '') return { command: 'diff', args: ['-u', '-N', ...folders] }
  const [command = '', ...more] = external.split(' ')
  return { command, args: [...folders, ...more.filter((argument) => /^[a-zA-Z0-9=-]+$/.test(argument))] }
}
