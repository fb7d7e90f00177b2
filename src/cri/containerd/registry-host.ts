import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RegistryHost {
  /** As in image names: `registry.example:5000`. */
  readonly host: string
  /** Its URL, such as `http://127.0.0.1:5000`. */
  readonly server: string
  /** File with its CA certificates. */
  readonly authorities?: string
}

/** Configures a registry whose URL is not `https://HOST`. containerd needs no restart. */
export function writeRegistryHost(registryFolder: string, { host, server, authorities }: RegistryHost): void {
  const folder = join(registryFolder, host)
  mkdirSync(folder, { recursive: true })
  const capabilities = 'capabilities = ["pull", "resolve"]'
  const ca = authorities === undefined ? '' : `ca = ${JSON.stringify(authorities)}\n`
  const text = `server = ${JSON.stringify(server)}\n\n[host.${JSON.stringify(server)}]\n${capabilities}\n${ca}`
  writeFileSync(join(folder, 'hosts.toml'), text)
}

export interface RegistryMirror {
  /** As in image names: `docker.io`. */
  readonly host: string
  /** The URL of the registry: `https://registry-1.docker.io`. */
  readonly server: string
  /** The URL of the mirror. containerd pulls from the registry what the mirror does not have. */
  readonly mirror: string
}

/** Never change this line: it identifies files of earlier versions. */
const signature = '# Written by proa at each start. Without this line it is yours, and stays as it is.\n'

/** Whether Proa wrote this `hosts.toml`. */
export function isOwnRegistryMirror(text: string): boolean {
  return text.startsWith(signature)
}

/** Configures a mirror for a registry, unless the user has written a `hosts.toml` for it. Returns whether it did. */
export function writeRegistryMirror(registryFolder: string, { host, server, mirror }: RegistryMirror): boolean {
  const folder = join(registryFolder, host)
  const file = join(folder, 'hosts.toml')
  if (existsSync(file) && !isOwnRegistryMirror(readFileSync(file, 'utf8'))) return false
  mkdirSync(folder, { recursive: true })
  const hosts = `[host.${JSON.stringify(mirror)}]\ncapabilities = ["pull", "resolve"]\n`
  writeFileSync(file, `${signature}server = ${JSON.stringify(server)}\n\n${hosts}`)
  return true
}
