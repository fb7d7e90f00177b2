import { signedDuration, text } from '../../base/flags/flag-types.js'
import { objectIn } from '../../schema/json-value.js'
import { type CommandContext, command } from '../command.js'
import { attachTo } from './attach-session.js'
import { attachablePod, namedObject, runningTimeout } from './attachable-pod.js'
import { sessionFlags } from './session.js'

const flags = {
  ...sessionFlags,
  container: text('The container to attach to', { short: 'c' }),
  'pod-running-timeout': signedDuration('How long to wait for a running pod', { initial: 60_000 }),
} as const

export const attach = command({
  usage: '(POD | TYPE/NAME) -c CONTAINER [options]',
  about: 'Attach to the main process of a running container.',
  examples: ['kubectl attach web', 'kubectl attach web -c main -it', 'kubectl attach replicaset/web'],
  flags,
  run: runAttach,
})

async function runAttach(call: CommandContext<typeof flags>): Promise<void> {
  const { flags: given, factory, args, path } = call
  const timeout = runningTimeout(path, given['pod-running-timeout'])
  if (args.length === 0) throw new Error('at least 1 argument is required for attach')
  if (args.length > 2)
    throw new Error(
      `expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ${args.length}: [${args.join(' ')}]`,
    )
  const pod = await attachablePod(factory, await namedObject(factory, args), timeout)
  const phase = objectIn(pod.object, 'status')?.phase
  if (phase === 'Succeeded' || phase === 'Failed')
    throw new Error(`cannot attach a container in a completed pod; current phase is ${phase}`)
  await attachTo(call, pod, given.container)
}
