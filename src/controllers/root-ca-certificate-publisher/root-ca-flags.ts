import { optionalText } from '../../base/flags/flag-types.js'
import type { ControllerSetup } from '../definition.js'

export const rootCaFlags = {
  'root-ca-file': optionalText(
    'The CA certificate that pods use to verify the API server. By default the one that this process uses.',
    { placeholder: 'FILE' },
  ),
}

/** In PEM form; undefined if the cluster has none. */
export function rootAuthority({
  flags,
  credentials,
  readFile,
}: ControllerSetup<typeof rootCaFlags>): string | undefined {
  const file = flags['root-ca-file']
  return file === undefined ? credentials.rootAuthority : readFile(file)
}
