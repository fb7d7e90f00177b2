import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { declarations } from '../../api/declarations.js'
import { groups } from '../../api/groups.js'
import { decodeValue } from '../../schema/decode/decoder.js'
import { time } from '../../schema/fields.js'
import { decodeProtobuf } from '../../schema/protobuf/decode.js'
import { encodeProtobuf } from '../../schema/protobuf/encode.js'
import { Scheme } from '../../schema/scheme.js'
import { kubectlMissing } from '../../testing/kubectl/kubectl.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { inEnvelope, openEnvelope } from '../../wire/protobuf.js'

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

describe('kubectl speaks protobuf', { skip: kubectlMissing() }, () => {
  let server: TestApiServer
  before(async () => {
    server = await startTestApiServer()
  })
  after(() => server.close())

  const kubectl = (...words: readonly string[]) => run('kubectl', ['--kubeconfig', server.kubeconfig, ...words])

  async function send(method: string, path: string, body = ''): Promise<KubeObject> {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const sent = request(`${server.url}/${path}`, { method, ca: server.authority, headers }, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve(JSON.parse(text)))
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
      const spoken = stderr.match(/Content-Type: application\/vnd\.kubernetes\.protobuf/g) ?? []
      assert.equal(spoken.length, 2, 'the question and the answer are both protobuf')
      assert.deepEqual(comparable(await send('GET', `${path}/it`)), comparable(fromJson))
    })
  }

  test('kubectl describe reads objects and lists', async () => {
    const { stdout, stderr } = await kubectl('describe', 'service', 'it', '-v=8')
    assert.match(stderr, /Content-Type: application\/vnd\.kubernetes\.protobuf/)
    assert.match(stdout, /^TargetPort: +https\/TCP$/m)
  })
})

/**
 * Where kubectl believes to reach a server, all that it sends is kept and sent back. Its bytes are Go's: for the same object ours
 * must be equal to them.
 */
describe('our bytes are those of Go', { skip: kubectlMissing() }, () => {
  let sent = Buffer.alloc(0)
  const recorder = createServer(async (asked, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of asked) chunks.push(chunk)
    sent = Buffer.concat(chunks)
    response.writeHead(201, { 'content-type': asked.headers['content-type'] ?? 'application/json' }).end(sent)
  })
  before(() => new Promise<void>((resolve) => recorder.listen(0, '127.0.0.1', resolve)))
  after(() => recorder.close())

  const withoutQuestions = Object.values(commands).filter(([kind]) => kind !== 'role' && kind !== 'clusterrole')
  for (const words of withoutQuestions)
    test(`for a ${words[0]}`, async () => {
      const { port } = recorder.address() as AddressInfo
      const server = ['--kubeconfig=/dev/null', `--server=http://127.0.0.1:${port}`, '--validate=false']
      await run('kubectl', ['create', ...options(words, ...server)])
      const { message, apiVersion, kind } = openEnvelope(sent)
      const type = scheme.kind(apiVersion, kind)!
      const { object } = decodeValue(type, decodeProtobuf(type, message), 'Strict')
      const ours = inEnvelope({ apiVersion, kind, message: encodeProtobuf(type, object) })
      assert.equal(ours.toString('hex'), sent.toString('hex'))
    })
})

/** All kinds, with the one field about which a declaration cannot say that it is no pointer upstream. */
const scheme = new Scheme({
  groups,
  declarations: declarations.map((declared) => {
    if (declared.is !== 'schema' || declared.name !== 'meta/v1.ObjectMeta') return declared
    return { ...declared, optional: { ...declared.optional, creationTimestamp: time(8, { always: true }) } }
  }),
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
