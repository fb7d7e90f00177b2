import { command } from '../command.js'
import { CommandUsageError, ExitCodeError, throwAll } from '../command-errors.js'
import { matchesSelector } from '../resources/label-selector.js'
import { requireFiles } from '../resources/require-files.js'
import { select } from '../resources/selection.js'
import { type DiffCall, diffFlags } from './flags.js'
import { diffProgram } from './program.js'
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

async function runDiff(call: DiffCall): Promise<void> {
  const { flags: given, args, path, factory } = call
  requireFiles(call)
  if (given['force-conflicts'] && !given['server-side'])
    throw new Error('--force-conflicts only works with --server-side')
  if (args.length > 0) throw new CommandUsageError(path, `Unexpected args: [${args.join(' ')}]`)
  const { files: folders } = factory.surroundings
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
