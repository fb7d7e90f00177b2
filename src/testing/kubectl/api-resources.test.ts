import assert from 'node:assert/strict'
import { builtin } from '../../api/scheme.js'
import { kubectlSuite } from './suite.js'

kubectlSuite('kubectl finds out what a server has', {
  'api-resources lists every resource with its short names, group version, scope and kind': async (kubectl) => {
    const [head, ...rows] = await kubectl.table('api-resources')
    assert.deepEqual(head, ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'])
    const deployments = rows.find(([name]) => name === 'deployments')
    assert.deepEqual(deployments, ['deployments', 'deploy', 'apps/v1', 'true', 'Deployment'])
    const preferred = builtin.groups.map(({ name, served }) => (name === '' ? served[0] : `${name}/${served[0]}`))
    const expected = builtin.resources.filter(({ kind }) => preferred.includes(kind.apiVersion))
    assert.deepEqual(rows.map(([name]) => name).sort(), expected.map(({ kind }) => kind.resource.plural).sort())
  },
  'api-resources can be narrowed to a group, a scope and a verb': async (kubectl) => {
    assert.deepEqual(await lines(kubectl.ok('api-resources', '--api-group=batch', '--output=name')), [
      'cronjobs.batch',
      'jobs.batch',
    ])
    const notNamespaced = await lines(kubectl.ok('api-resources', '--namespaced=false', '--output=name'))
    assert.ok(notNamespaced.includes('nodes') && !notNamespaced.includes('pods'))
    const listed = await lines(kubectl.ok('api-resources', '--verbs=list,watch', '--output=name'))
    assert.ok(listed.includes('pods') && !listed.includes('bindings'))
  },
  'api-versions lists every group version that is served': async (kubectl) => {
    const versions = await lines(kubectl.ok('api-versions'))
    const served = builtin.groups.flatMap(({ name, served: all }) =>
      all.map((version) => (name ? `${name}/${version}` : version)),
    )
    assert.deepEqual(versions, served.sort())
  },
  'explain shows a kind, a nested field and everything below one': async (kubectl) => {
    const kind = await kubectl.ok('explain', 'deployments')
    assert.match(kind, /^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n/)
    assert.match(kind, /\n {2}spec\t<DeploymentSpec>\n/)
    const field = await kubectl.ok('explain', 'pod.spec.containers.livenessProbe.httpGet')
    assert.match(field, /FIELD: httpGet <HTTPGetAction>/)
    assert.match(field, /\n {2}port\t<IntOrString> -required-\n/)
    const enumeration = await kubectl.ok('explain', 'pod.spec.restartPolicy')
    assert.match(enumeration, /FIELD: restartPolicy <string>\nENUM:\n {4}Always\n {4}Never\n {4}OnFailure\n/)
    const all = await kubectl.ok('explain', 'cronjob.spec', '--recursive')
    assert.match(all, /\n {2}jobTemplate\t<JobTemplateSpec> -required-\n[\s\S]*\n {14}mountPath\t<string> -required-\n/)
  },
  'explain says what does not exist': async (kubectl) => {
    assert.match(await kubectl.fails('explain', 'pod.spec.nothing'), /field "nothing" does not exist/)
    assert.match(await kubectl.fails('explain', 'nothing'), /doesn't have a resource type "nothing"/)
  },
  'version and cluster-info say what the server is and where': async (kubectl, server) => {
    const { serverVersion } = (await kubectl.json('version')) as { serverVersion: Record<string, string> }
    assert.match(serverVersion.gitVersion!, /^v1\.36\.\d+\+proa/)
    assert.equal(serverVersion.minor, '36')
    assert.match(await kubectl.ok('cluster-info'), new RegExp(`control plane is running at .*${server.url}`))
  },
  'config view shows how the server is reached, and hides what is secret': async (kubectl, server) => {
    const view = await kubectl.ok('config', 'view')
    assert.ok(view.includes(`server: ${server.url}`))
    assert.match(view, /client-key-data: DATA\+OMITTED/)
    assert.equal(await kubectl.ok('config', 'current-context'), 'proa\n')
  },
  'raw paths answer': async (kubectl) => {
    assert.equal(await kubectl.ok('get', '--raw=/readyz'), 'ok')
    assert.match(await kubectl.ok('get', '--raw=/readyz?verbose'), /\[\+\]etcd ok[\s\S]*readyz check passed\n$/)
    assert.match(await kubectl.ok('get', '--raw=/metrics'), /\napiserver_request_total\{/)
    assert.match(await kubectl.fails('get', '--raw=/nothing'), /could not find the requested resource|NotFound/)
  },
  'what the server does not have is said in its own words': async (kubectl) => {
    assert.equal(await kubectl.fails('get', 'nothing'), `error: the server doesn't have a resource type "nothing"\n`)
    assert.equal(await kubectl.fails('get', 'pod', 'none'), 'Error from server (NotFound): pods "none" not found\n')
    assert.match(await kubectl.fails('get', 'pods', '--selector=a in'), /unable to parse requirement/)
    assert.match(await kubectl.fails('get', 'pods', '--field-selector=spec.nothing=1'), /field label not supported/)
  },
})

async function lines(text: Promise<string>): Promise<string[]> {
  return (await text).trimEnd().split('\n')
}
