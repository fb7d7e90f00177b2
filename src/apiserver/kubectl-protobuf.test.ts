import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { request } from 'node:https'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startTestApiServer, type TestApiServer } from '../testing/api-server.js'

const absent = spawnSync('kubectl', ['version', '--client']).status !== 0
const run = promisify(execFile)

/** Each creates one object, which real kubectl sends as protobuf. */
const commands: Readonly<Record<string, readonly string[]>> = {
  'apis/apps/v1/namespaces/default/deployments': ['deployment', 'it', '--image=nginx', '--replicas=3', '--port=80'],
  'api/v1/namespaces/default/services': ['service', 'clusterip', 'it', '--tcp=80:8080', '--tcp=443:https'],
  'apis/batch/v1/namespaces/default/jobs': ['job', 'it', '--image=busybox', '--', 'date', '+%s'],
  'apis/batch/v1/namespaces/default/cronjobs': ['cronjob', 'it', '--image=busybox', '--schedule=*/5 * * * *'],
  'api/v1/namespaces/default/serviceaccounts': ['serviceaccount', 'it'],
  'apis/rbac.authorization.k8s.io/v1/namespaces/default/roles': [
    'role',
    'it',
    '--verb=get,list',
    '--resource=pods,svc',
  ],
  'apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings': [
    'rolebinding',
    'it',
    '--role=it',
    '--user=jane',
    '--serviceaccount=default:it',
  ],
  'apis/rbac.authorization.k8s.io/v1/clusterroles': ['clusterrole', 'it', '--verb=*', '--non-resource-url=/logs/*'],
  'api/v1/namespaces/default/configmaps': ['configmap', 'it', '--from-literal=a=1', '--from-literal=b=→ü'],
  'api/v1/namespaces/default/secrets': ['secret', 'generic', 'it', '--from-literal=password=\u00ff'],
  'api/v1/namespaces': ['namespace', 'it'],
  'api/v1/namespaces/default/resourcequotas': ['quota', 'it', '--hard=cpu=1500m,memory=2Gi,pods=3'],
  'apis/scheduling.k8s.io/v1/priorityclasses': ['priorityclass', 'it', '--value=-10', '--description=low'],
  'apis/policy/v1/namespaces/default/poddisruptionbudgets': ['pdb', 'it', '--selector=a=b', '--min-available=50%'],
  'apis/networking.k8s.io/v1/namespaces/default/ingresses': [
    'ingress',
    'it',
    '--rule=example.org/path*=web:8080,tls=cert',
  ],
}

interface KubeObject {
  readonly metadata: Record<string, unknown>
  readonly spec?: Record<string, unknown>
}

describe('kubectl speaks protobuf', { skip: absent && 'there is no kubectl on the PATH' }, () => {
  let server: TestApiServer
  before(async () => {
    server = await startTestApiServer()
  })
  after(() => server.close())

  const kubectl = (...words: readonly string[]) => run('kubectl', ['--kubeconfig', server.kubeconfig, ...words])

  async function send(method: string, path: string, body = ''): Promise<KubeObject> {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const sent = request(`${server.url}/${path}`, { method, ca: server.authority, headers }, (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => resolve(JSON.parse(text)))
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  for (const [path, words] of Object.entries(commands)) {
    test(`kubectl create ${words[0]} stores what the same object in JSON would`, async () => {
      const { stdout } = await kubectl('create', ...options(words, '--dry-run=client', '-o', 'json'))
      const fromJson = await send('POST', `${path}?dryRun=All`, stdout)
      const { stderr } = await kubectl('create', ...options(words, '-v=8'))
      assert.match(stderr, /Content-Type: application\/vnd\.kubernetes\.protobuf/)
      assert.deepEqual(comparable(await send('GET', `${path}/it`)), comparable(fromJson))
    })
  }
})

/** Options go before a command's own words. */
function options(words: readonly string[], ...more: readonly string[]): readonly string[] {
  const dashes = words.indexOf('--')
  return dashes < 0 ? [...words, ...more] : [...words.slice(0, dashes), ...more, ...words.slice(dashes)]
}

/** Without what differs between any two objects of the same content. */
function comparable(object: KubeObject): unknown {
  const { metadata, spec } = object
  const own = [metadata.uid, metadata.creationTimestamp, spec?.clusterIP].filter((value) => value !== undefined)
  const text = own.reduce<string>((rest, value) => rest.replaceAll(String(value), 'its own'), JSON.stringify(object))
  const { metadata: named, ...rest } = JSON.parse(text) as KubeObject
  const { resourceVersion: _version, managedFields: _managed, ...kept } = named
  return { ...rest, metadata: kept }
}
