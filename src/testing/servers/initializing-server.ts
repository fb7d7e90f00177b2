import { InitializerConfiguration } from '../../api/admissionregistration/v1alpha1/initializer-configuration.js'
import { ClusterRole } from '../../api/rbac/v1/cluster-role.js'
import { ClusterRoleBinding } from '../../api/rbac/v1/cluster-role-binding.js'
import type { Client } from '../../client/client.js'
import { startTestApiServer, type TestApiServer, type TestApiServerOptions } from './api-server.js'
import { httpsClient, inProcessClient } from './clients.js'

/** The verbs of each role: `writer` may do everything except initialize. */
const roles = {
  writer: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  initializer: ['get', 'list', 'watch', 'update', 'patch', 'initialize'],
} as const

export type InitializingServerRole = keyof typeof roles

export interface InitializingServer extends AsyncDisposable {
  readonly server: TestApiServer
  readonly admin: Client
  /** Returns a client with this role. Default transport: in process. */
  as(role: InitializingServerRole, transport?: 'in-process' | 'https'): Client
  /** Makes objects of a core resource wait for these initializers. */
  configure(name: string, resource: string, ...initializers: readonly string[]): Promise<void>
}

/** Starts an API server on which new objects can wait for initializers. */
export async function startInitializingServer(given: TestApiServerOptions = {}): Promise<InitializingServer> {
  const server = await startTestApiServer({
    ...given,
    tokens: Object.keys(roles).map((role, i) => `${role},${role},${i}`),
    options: {
      featureGates: { Initializers: true },
      admission: { enabled: ['Initializers'], disabled: ['ServiceAccount'] },
      ...given.options,
    },
  })
  const admin = inProcessClient(server)
  const clients: Client[] = [admin]
  for (const role of Object.keys(roles) as InitializingServerRole[]) await grant(admin, role)
  const close = async () => {
    for (const client of clients) client.close()
    await server.close()
  }
  return {
    server,
    admin,
    as(role, transport = 'in-process') {
      const client = clientOf(server, role, transport)
      clients.push(client)
      return client
    },
    async configure(name, resource, ...initializers) {
      const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: [resource] }]
      const named = initializers.map((initializer) => ({ name: initializer, rules }))
      await admin.resource(InitializerConfiguration).create({ metadata: { name }, initializers: named })
    },
    [Symbol.asyncDispose]: close,
  }
}

function clientOf(server: TestApiServer, role: InitializingServerRole, transport: 'in-process' | 'https'): Client {
  if (transport === 'https') return httpsClient(server, { token: role })
  return inProcessClient(server, { user: { name: role, uid: '', groups: ['system:authenticated'], extra: {} } })
}

async function grant(admin: Client, role: InitializingServerRole): Promise<void> {
  const name = `test:${role}`
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: [...roles[role]] }]
  await admin.resource(ClusterRole).create({ metadata: { name }, rules })
  await admin.resource(ClusterRoleBinding).create({
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: role }],
  })
}
