import { startApiServer } from '../apiserver/server.js'
import { inProcessTransports, startControllers } from '../controllers/manager.js'
import { schedulerTransport, startScheduler } from '../scheduler/scheduler.js'
import { type ApiServerFlags, apiServerFlags, apiServerOptions } from './apiserver-flags.js'
import { command } from './command.js'
import { integer, list, truth } from './flag-types.js'
import type { FlagValues } from './flags.js'
import { type LoopFlags, loopFlags, loopOptions } from './loop-flags.js'
import { untilStopped } from './signals.js'
import { defaultDataDirectory, surroundings } from './surroundings.js'

const { 'secure-port': _, ...serverFlags } = apiServerFlags

/** Its own, then all that an API server can be told. */
const upFlags = {
  port: integer('The port of the API server; 0 for any that is free.', 'PORT', { standard: 6443, most: 65_535 }),
  ...loopFlags,
  ...serverFlags,
  'allow-privileged': truth('Privileged containers are allowed.', true),
  'service-cluster-ip-range': list('The addresses of services; at most one range of each family.', 'CIDR,…', [
    '10.96.0.0/16',
  ]),
}

type UpFlags = FlagValues<typeof upFlags>

export const upCommand = command({
  name: 'up',
  about: `A control plane in one process: the store, the API server, the control loops and the scheduler.

Usage:
  proa up [flags]
`,
  flags: upFlags,
  run,
})

async function run({ port, ...rest }: UpFlags): Promise<void> {
  const flags: ApiServerFlags & LoopFlags = { ...rest, 'secure-port': port }
  const environment = surroundings(flags.v)
  const options = apiServerOptions(flags, defaultDataDirectory())
  const server = await startApiServer(options, environment)
  const loops = startControllers({
    environment,
    controllers: flags.controllers,
    options: loopOptions(flags, { rootAuthority: server.authority, ...server.keys }),
    ...inProcessTransports(server.api.answer),
  })
  const scheduler = startScheduler({ environment, transport: schedulerTransport(server.api.answer) })
  await Promise.all([loops.synced(), scheduler.synced()])
  process.stdout.write(`The API server serves on ${server.url}; its data is in ${options.dataDirectory}.\n`)
  if (server.kubeconfig !== undefined) process.stdout.write(`Use it with: kubectl --kubeconfig ${server.kubeconfig}\n`)
  await untilStopped()
  await scheduler.close()
  await loops.close()
  await server.close()
}
