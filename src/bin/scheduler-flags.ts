import { optionalText } from '../base/flags/flag-types.js'
import type { FlagValues } from '../base/flags/flags.js'
import { componentFlags } from './component.js'

export const component = 'kube-scheduler'

/** Upstream's names; `--help` shows them in this order. */
export const schedulerFlags = {
  config: optionalText('How pods are placed: a KubeSchedulerConfiguration. It comes before all other flags.', 'FILE'),
  'policy-config-file': optionalText('The same in the classic form: a Policy of predicates and priorities.', 'FILE'),
  ...componentFlags(component, 10_259),
}

export type SchedulerFlags = FlagValues<typeof schedulerFlags>
