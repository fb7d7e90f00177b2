import { readFileSync } from 'node:fs'
import { boolean } from '../../base/flags/flag-types.js'
import type { FlagValues } from '../../base/flags/flags.js'
import type { ConnectionConfig } from '../../client/connection-config.js'
import { readPem } from '../../client/credentials/files.js'
import { pemSource } from '../../client/credentials/user-credentials.js'
import { thisHost } from '../../client/host-access.js'
import { controllerFlags } from '../../controllers/catalogue.js'
import { startControllers } from '../../controllers/manager.js'
import { ServiceAccountCredentials } from '../../controllers/service-account-credentials.js'
import { defineCommand } from '../command.js'
import { type ComponentContext, componentFlags, runComponent } from './component.js'

const component = 'kube-controller-manager'

/** Upstream's names; `--help` shows them in this order. */
const controllerManagerFlags = {
  'use-service-account-credentials': boolean('Let each controller use its own service account.', { initial: true }),
  ...controllerFlags,
  ...componentFlags(component, 10_257),
}

type ControllerManagerFlags = FlagValues<typeof controllerManagerFlags>

export const controllerManagerCommand = defineCommand({
  name: 'controller-manager',
  about: `Run the controllers alone. They bring the state of the cluster to what its objects ask for.

Usage:
  proa controller-manager --kubeconfig FILE [flags]
`,
  flags: controllerManagerFlags,
  run: (flags) => runComponent(component, flags, (world) => runLoops(flags, world)),
})

async function runLoops(flags: ControllerManagerFlags, world: ComponentContext): Promise<void> {
  const { environment, client, connection, transport, stopped } = world
  const inOwnName = flags['use-service-account-credentials']
  const loops = startControllers({
    environment,
    transport: transport(),
    transportOf(account) {
      const isOwn = inOwnName && account !== undefined
      return transport(isOwn ? new ServiceAccountCredentials(client, account, environment) : undefined)
    },
    flags,
    credentials: { rootAuthority: await authorityOf(connection) },
    readFile: (path) => readFileSync(path, 'utf8'),
  })
  const say = () => void process.stdout.write('The control loops are at work.\n')
  const atWork = loops.synced().then(say, () => undefined) // they may be closed before that
  await Promise.race([atWork, stopped])
  const { isOvertaken } = await stopped
  if (isOvertaken) await loops.abandon()
  else await loops.close()
}

/** The certificate by which this component verifies the API server. Pods use it as well, unless a flag names another one. */
async function authorityOf({ cluster }: ConnectionConfig): Promise<string | undefined> {
  const part = pemSource(cluster['certificate-authority-data'], cluster['certificate-authority'])
  return part && (await readPem(part, thisHost().files))
}
