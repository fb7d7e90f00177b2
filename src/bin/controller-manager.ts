import type { Connection } from '../client/connection.js'
import { readPem } from '../client/credentials/files.js'
import { pemPart } from '../client/credentials/user-credentials.js'
import { thisMachine } from '../client/machine.js'
import { AccountCredentials } from '../controllers/account-credentials.js'
import { startControllers } from '../controllers/manager.js'
import { command } from './command.js'
import { type ComponentWorld, componentFlags, runComponent } from './component.js'
import { truth } from './flag-types.js'
import type { FlagValues } from './flags.js'
import { loopFlags, loopOptions } from './loop-flags.js'

const component = 'kube-controller-manager'

/** Upstream's names; `--help` shows them in this order. */
const controllerManagerFlags = {
  'use-service-account-credentials': truth('Let each control loop use its own service account.', true),
  ...loopFlags,
  ...componentFlags(component, 10_257),
}

type ControllerManagerFlags = FlagValues<typeof controllerManagerFlags>

export const controllerManagerCommand = command({
  name: 'controller-manager',
  about: `Run the control loops alone. They bring the state of the cluster to what its objects ask for.

Usage:
  proa controller-manager --kubeconfig FILE [flags]
`,
  flags: controllerManagerFlags,
  run: (flags) => runComponent(component, flags, (world) => runLoops(flags, world)),
})

async function runLoops(flags: ControllerManagerFlags, world: ComponentWorld): Promise<void> {
  const { environment, client, connection, transport, stopped } = world
  const inOwnName = flags['use-service-account-credentials']
  const loops = startControllers({
    environment,
    controllers: flags.controllers,
    transport: transport(),
    transportOf(account) {
      const isOwn = inOwnName && account !== undefined
      return transport(isOwn ? new AccountCredentials(client, account, environment) : undefined)
    },
    options: loopOptions(flags, { rootAuthority: await authorityOf(connection) }),
  })
  const say = () => void process.stdout.write('The control loops are at work.\n')
  const atWork = loops.synced().then(say, () => undefined) // they may be closed before they know everything
  await Promise.race([atWork, stopped])
  const { isOvertaken } = await stopped
  if (isOvertaken) await loops.abandon()
  else await loops.close()
}

/** By whom this component knows the API server: so do pods, unless a flag says otherwise. */
async function authorityOf({ cluster }: Connection): Promise<string | undefined> {
  const part = pemPart(cluster['certificate-authority-data'], cluster['certificate-authority'])
  return part && (await readPem(part, thisMachine().files))
}
