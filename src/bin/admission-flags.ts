import type { AdmissionOptions } from '../apiserver/options.js'
import { integer, list, optionalText } from '../base/flags/flag-types.js'
import type { FlagValues } from '../base/flags/flags.js'

/** Upstream's names for who has a say about what is stored. */
export const admissionFlags = {
  'enable-admission-plugins': list('Admission plugins to run beside those that are on by default.', 'NAME,…'),
  'disable-admission-plugins': list('Admission plugins not to run.', 'NAME,…'),
  'admission-control-config-file': optionalText(
    'What admission plugins are told, or the names of files that say it.',
    'FILE',
  ),
  'default-not-ready-toleration-seconds': seconds(
    'How long a pod stays on a node that is not ready, if it does not say.',
  ),
  'default-unreachable-toleration-seconds': seconds(
    'How long a pod stays on a node that cannot be reached, if it does not say.',
  ),
}

function seconds(help: string) {
  return integer(help, 'SECONDS', { standard: 300, least: Number.MIN_SAFE_INTEGER })
}

export type AdmissionFlags = FlagValues<typeof admissionFlags>

export function admissionOptions(flags: AdmissionFlags): AdmissionOptions {
  const configFile = flags['admission-control-config-file']
  return {
    enabled: flags['enable-admission-plugins'],
    disabled: flags['disable-admission-plugins'],
    ...(configFile !== undefined && { configFile }),
    notReadyTolerationSeconds: flags['default-not-ready-toleration-seconds'],
    unreachableTolerationSeconds: flags['default-unreachable-toleration-seconds'],
  }
}
