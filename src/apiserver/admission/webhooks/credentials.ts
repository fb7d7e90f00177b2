import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseYaml } from '../../../wire/yaml.js'
import { type Credentials, credentialsOf } from '../../outgoing/webhook-config.js'

/** Returns the server's credentials for a webhook at `host:port`. */
export type CredentialsFor = (target: string) => Promise<Credentials>

interface NamedUser {
  readonly name?: string
  readonly user?: Readonly<Record<string, unknown>>
}

interface Kubeconfig {
  readonly users?: readonly NamedUser[]
  readonly contexts?: readonly { readonly name?: string; readonly context?: { readonly user?: string } }[]
  readonly 'current-context'?: string
}

/**
 * Reads credentials from a kubeconfig whose users are named after servers: `hook.ns.svc:8443`, `hook.ns.svc`, or with a star for the first
 * parts. Throws if the file does not exist. Without a file, the server has no credentials.
 */
export function webhookCredentials(path: string | undefined): CredentialsFor {
  if (path === undefined) return async () => ({})
  const text = readFileSync(path, 'utf8')
  let read: Promise<Kubeconfig> | undefined
  return async (target) => {
    read ??= parseYaml(text).then(({ value }) => (value ?? {}) as Kubeconfig)
    const user = userFor(target, await read)
    return user ? credentialsOf(user, dirname(path)) : {}
  }
}

/** Returns the user with the most specific name; the name may omit the default port. */
function userFor(target: string, config: Kubeconfig): Readonly<Record<string, unknown>> | undefined {
  const { users = [], contexts = [] } = config
  const context = contexts.find(({ name }) => name === config['current-context'])?.context
  const current = config['current-context'] ? context?.user : undefined
  const names = [...namesOf(target), ...(target.endsWith(':443') ? namesOf(target.slice(0, -4)) : []), '*', current]
  for (const name of names) {
    const found = name !== undefined && users.find((user) => user.name === name)
    if (found) return found.user ?? {}
  }
  return undefined
}

/** Returns `a.b.c`, `*.b.c`, `*.c`. */
function namesOf(target: string): readonly string[] {
  const steps = target.split('.')
  return [target, ...steps.slice(1).map((_, i) => `*.${steps.slice(i + 1).join('.')}`)]
}
