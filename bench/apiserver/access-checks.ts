/** Authentication, impersonation and authorization: the cost of every request before it is handled. */

import type { KubeObject } from '../../src/api/kube-object.js'
import type { ApiServer } from '../../src/apiserver/api-server.js'
import type { ObjectChange } from '../../src/apiserver/cache/object-store.js'
import type { ApiRequest, RequestContext } from '../../src/apiserver/request/request-context.js'
import { requestInfo } from '../../src/apiserver/request/request-info.js'
import { startTestApiServer } from '../../src/testing/servers/api-server.js'
import { microseconds, type ReportFigure } from '../figure.js'

const bindings = 5_000
const budget = '≤ 40 µs'

export async function accessCheckFigures(report: ReportFigure): Promise<void> {
  await using server = await startTestApiServer({ tokens: ['bob-token,bob,bob,"dev,ops,staff"'] })
  const { api } = server
  await api.objects.write([role(), binding('bob', { kind: 'User', name: 'bob' })])
  const measure = (name: string, path: string, then?: string) => {
    const run = accessCheck(api, path)
    run()
    const value = microseconds(run)
    report({ name: `gate: ${name}`, value, unit: 'µs', ...(then !== undefined && { budget: then }) })
    return value
  }
  const allowed = '/api/v1/namespaces/bench/pods/web'
  const few = measure('a user with a role, initial roles only', allowed, budget)
  measure('everybody: discovery', '/apis/apps/v1', budget)
  measure('a rejection', '/api/v1/namespaces/other/secrets/x', budget)
  for (let start = 0; start < bindings; start += 100) await api.objects.write(manyBindings(start, 100))
  measure(`the same user, ${bindings} bindings`, allowed, `≤ ${(2 * few).toFixed(1)} µs, twice the first`)
  measure(`a rejection, ${bindings} bindings`, '/api/v1/namespaces/other/secrets/x', budget)
}

/** Returns a function that runs one request through these stages, without a response for a rejection. */
function accessCheck({ stages }: ApiServer, path: string): () => void {
  const [authentication, impersonation, authorization] = ['authentication', 'impersonation', 'authorization'].map(
    (name) => stages.find((stage) => stage.name === name)!,
  )
  const query = new URLSearchParams()
  const info = requestInfo('GET', path, query)
  return () => {
    const headers = { authorization: 'Bearer bob-token', accept: 'application/json', 'user-agent': 'bench' }
    const context = { request: { path, query, headers, peer: { address: '' } }, info, warnings: new Set() }
    const given = context as unknown as RequestContext & { request: ApiRequest }
    authentication!.run(given)
    impersonation!.run(given)
    try {
      authorization!.run(given)
    } catch {
      // the rejection that is measured
    }
  }
}

function role(): ObjectChange {
  const rules = [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods', 'services', 'configmaps'] }]
  return change('roles', 'Role', 'reader', { rules })
}

function binding(name: string, subject: object, roleName = 'reader'): ObjectChange {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: roleName }
  return change('rolebindings', 'RoleBinding', name, { subjects: [subject], roleRef })
}

/** Half of the bindings are for users, half for groups. Bob is in some of these groups. */
function manyBindings(start: number, count: number): readonly ObjectChange[] {
  return Array.from({ length: count }, (_, index) => {
    const number = start + index
    const kind = number % 2 === 0 ? 'User' : 'Group'
    const name = number % 500 === 1 ? 'dev' : `${kind}-${number}`
    return binding(`binding-${number}`, { kind, name })
  })
}

function change(resource: string, kind: string, name: string, content: object): ObjectChange {
  const metadata = { name, namespace: 'bench', uid: name }
  const object = { kind, apiVersion: 'rbac.authorization.k8s.io/v1', metadata, ...content } as unknown as KubeObject
  return { key: `/registry/${resource}/bench/${name}`, expected: 0, object }
}
