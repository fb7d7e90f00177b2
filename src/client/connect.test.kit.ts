import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SelfSubjectReview } from '../api/authentication/v1/self-subject-review.js'
import { type Environment, environment as realEnvironment } from '../base/environment.js'
import type { ApiServerAccess } from '../testing/servers/api-server.js'
import { Client } from './client.js'
import { connect } from './connect.js'
import { type HostAccess, thisHost } from './host-access.js'
import type { ConnectionFlags } from './kubeconfig/flags.js'
import { resolveConnection } from './kubeconfig/resolve.js'

interface TestContext {
  after(run: () => void): void
}

export function scratchFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'proa-connect-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface Setting {
  /** What the kubeconfig says of the user, as JSON. */
  readonly user?: object
  /** What it says of the cluster beside its address and authority. */
  readonly cluster?: object
  readonly flags?: ConnectionFlags
  readonly host?: Partial<HostAccess>
  readonly environment?: Environment
}

/** A client by a kubeconfig in a folder of its own, as a user would have it. */
export async function connected(
  context: TestContext,
  { url, authority }: Pick<ApiServerAccess, 'url' | 'authority'>,
  { user = {}, cluster = {}, flags = {}, host, environment = realEnvironment() }: Setting,
): Promise<{ readonly client: Client; readonly kubeconfig: string; readonly folder: string }> {
  const folder = scratchFolder(context)
  const kubeconfig = join(folder, 'config')
  const ca = { 'certificate-authority-data': Buffer.from(authority).toString('base64') }
  const config = {
    clusters: [{ name: 'test', cluster: { server: url, ...ca, ...cluster } }],
    users: [{ name: 'jane', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'jane' } }],
    'current-context': 'test',
  }
  writeFileSync(kubeconfig, JSON.stringify(config))
  const here = { ...thisHost(), variables: { PATH: process.env.PATH }, isTerminal: false, ...host }
  const connection = await resolveConnection(here, { kubeconfig, flags })
  const client = new Client(await connect(connection, { host: here, environment }), { clock: environment.clock })
  context.after(() => client.close())
  return { client, kubeconfig, folder }
}

/** For whom the server takes the client. */
export async function nameOf(client: Client): Promise<string | undefined> {
  return (await userOf(client))?.username
}

export async function userOf(client: Client) {
  const { status } = await client.resource(SelfSubjectReview).create({ metadata: {} })
  return status?.userInfo
}
