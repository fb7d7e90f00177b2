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

/** The flags with upstream's names. `--help` shows them in this order. */
const controllerManagerFlags = {
  'use-service-account-credentials': boolean('Let each controller use its own service account.', { initial: true }),
  ...controllerFlags,
  ...componentFlags(component, 10_257),
}

type ControllerManagerFlags = FlagValues<typeof controllerManagerFlags>

export const controllerManagerCommand = defineCommand({
  name: 'controller-manager',
  about: `Run the controllers alone. They bring the state of the cluster to the state that its objects specify.

Usage:
  proa controller-manager --kubeconfig FILE [flags]
`,
  flags: controllerManagerFlags,
  run: (flags) => runComponent(component, flags, (context) => runControllers(flags, context)),
})

async function runControllers(flags: ControllerManagerFlags, context: ComponentContext): Promise<void> {
  const { environment, client, connection, transport, stopped } = context
  const usesServiceAccounts = flags['use-service-account-credentials']
  const controllers = startControllers({
    environment,
    transport: transport(),
    transportOf(account) {
      const credentials =
        usesServiceAccounts && account !== undefined
          ? new ServiceAccountCredentials(client, account, environment)
          : undefined
      return transport(credentials)
    },
    flags,
    credentials: { rootAuthority: await authorityOf(connection) },
    readFile: (path) => readFileSync(path, 'utf8'),
  })
  const announce = () => void process.stdout.write('The controllers are running.\n')
  const synced = controllers.synced().then(announce, () => undefined) // rejects if they are closed before they are synced
  await Promise.race([synced, stopped])
  const { isLeadershipLost } = await stopped
  if (isLeadershipLost) await controllers.abandon()
  else await controllers.close()
}

/** Returns the CA certificate by which this component verifies the API server. Pods get it as well, unless a flag names another one. */
async function authorityOf({ cluster }: ConnectionConfig): Promise<string | undefined> {
  const part = pemSource(cluster['certificate-authority-data'], cluster['certificate-authority'])
  return part && (await readPem(part, thisHost().files))
}
