import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RegistryHost {
  /** As in the names of images: `registry.example:5000`. */
  readonly host: string
  /** Where it is, such as `http://127.0.0.1:5000`. */
  readonly server: string
  /** A file with the authorities that it is known by. */
  readonly authorities?: string
}

/** Tells containerd how a registry is reached that is not simply `https://` and its name. It needs not be restarted. */
export function writeRegistryHost(registryFolder: string, { host, server, authorities }: RegistryHost): void {
  const folder = join(registryFolder, host)
  mkdirSync(folder, { recursive: true })
  const capabilities = 'capabilities = ["pull", "resolve"]'
  const ca = authorities === undefined ? '' : `ca = ${JSON.stringify(authorities)}\n`
  const text = `server = ${JSON.stringify(server)}\n\n[host.${JSON.stringify(server)}]\n${capabilities}\n${ca}`
  writeFileSync(join(folder, 'hosts.toml'), text)
}
