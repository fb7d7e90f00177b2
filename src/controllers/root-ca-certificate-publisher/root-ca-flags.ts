import { optionalText } from '../../base/flags/flag-types.js'
import type { ControllerSetup } from '../definition.js'

export const rootCaFlags = {
  'root-ca-file': optionalText(
    'The certificate by which pods verify the API server; the one that this process uses, unless given.',
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
