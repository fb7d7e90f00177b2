import { duration, integer, optionalText, text, truth } from './flag-types.js'
import type { FlagValues } from './flags.js'

/** Upstream's names; `--help` shows them in this order. */
export const schedulerFlags = {
  kubeconfig: optionalText('Where the API server is, and who this is to it.', 'FILE'),
  master: optionalText('The address of the API server, instead of the one in the kubeconfig.', 'URL'),

  'leader-elect': truth('Of several that run, one acts; the others wait until it is gone.', true),
  'leader-elect-lease-duration': duration('Others take over when the leader was not heard for so long.', 15_000),
  'leader-elect-renew-deadline': duration(
    'The leader stops when it could not say that it is there for so long.',
    10_000,
  ),
  'leader-elect-retry-period': duration('How often it says so.', 2_000),
  'leader-elect-resource-name': text('What the lease is called.', 'NAME', 'kube-scheduler'),
  'leader-elect-resource-namespace': text('Where the lease is.', 'NAME', 'kube-system'),

  v: integer('How much is logged: 4 and more for every detail.', 'LEVEL', { standard: 0 }),
  help: { ...truth('Shows this text.', false), short: 'h' },
}

export type SchedulerFlags = FlagValues<typeof schedulerFlags>
