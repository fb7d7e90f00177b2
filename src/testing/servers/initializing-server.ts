import { InitializerConfiguration } from '../../api/admissionregistration/v1alpha1/initializer-configuration.js'
import { ClusterRole } from '../../api/rbac/v1/cluster-role.js'
import { ClusterRoleBinding } from '../../api/rbac/v1/cluster-role-binding.js'
import type { Client } from '../../client/client.js'
import { startTestApiServer, type TestApiServer, type TestApiServerOptions } from './api-server.js'
import { httpsClient, inProcessClient } from './clients.js'

/** Who may do everything but initialize, and who may do that, too. */
const roles = {
  writer: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  initializer: ['get', 'list', 'watch', 'update', 'patch', 'initialize'],
} as const

export type InitializingServerRole = keyof typeof roles

export interface InitializingServer extends AsyncDisposable {
  readonly server: TestApiServer
  readonly admin: Client
  /** A client of somebody who has a role, over one of the two transports. */
  as(role: InitializingServerRole, transport?: 'in-process' | 'https'): Client
  /** Has objects of a resource of the core group wait for those who are named. */
  configure(name: string, resource: string, ...initializers: readonly string[]): Promise<void>
}

/** An API server on which new objects can be made to wait for initializers. */
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
