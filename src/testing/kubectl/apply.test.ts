import assert from 'node:assert/strict'
import { stringify } from 'yaml'
import type { JsonObject } from '../../schema/declaration.js'
import type { Kubectl } from './kubectl.js'
import { configMap, deploymentWithImage, kubectlSuite } from './suite.js'

kubectlSuite('kubectl apply, diff and patch', {
  'apply creates, leaves alone what is the same, and changes what is not': async (kubectl) => {
    const file = (image: string) => kubectl.file('app.yaml', stringify(deploymentWithImage('app', image)))
    assert.equal(await kubectl.ok('apply', '-f', file('nginx:1')), 'deployment.apps/app created\n')
    assert.equal(await kubectl.ok('apply', '-f', file('nginx:1')), 'deployment.apps/app unchanged\n')
    assert.equal(await kubectl.ok('apply', '-f', file('nginx:2')), 'deployment.apps/app configured\n')
    assert.equal(await imageOf(kubectl, 'app'), 'nginx:2')
    assert.match(await kubectl.ok('apply', 'view-last-applied', 'deploy/app'), /image: nginx:2/)
  },
  'what apply no longer names is taken away, and what others set stays': async (kubectl) => {
    await kubectl.apply(configMap('conf', { a: '1', b: '2' }))
    await kubectl.ok('patch', 'cm', 'conf', '--patch={"data":{"c":"3"}}')
    await kubectl.apply(configMap('conf', { a: '1' }))
    const { data } = await kubectl.json('get', 'cm', 'conf')
    assert.deepEqual(data, { a: '1', c: '3' })
  },
  'apply takes several documents and a directory': async (kubectl) => {
    const both = [configMap('one'), configMap('two')].map((object) => stringify(object)).join('---\n')
    assert.equal(
      await kubectl.ok('apply', '-f', kubectl.file('both.yaml', both)),
      'configmap/one created\nconfigmap/two created\n',
    )
  },
  'server-side apply owns fields, and conflicts are told and forced': async (kubectl) => {
    const send = (image: string, ...flags: string[]) =>
      kubectl.run(['apply', '--server-side', '-f', '-', ...flags], {
        input: JSON.stringify(deploymentWithImage('app', image)),
      })
    assert.equal((await send('nginx:1')).stdout, 'deployment.apps/app serverside-applied\n')
    const refused = await send('nginx:2', '--field-manager=other')
    assert.equal(refused.code, 1)
    assert.match(
      refused.stderr,
      /Apply failed with 1 conflict: conflict with "kubectl": \.spec\.template\.spec\.containers\[name="main"\]\.image/,
    )
    assert.equal(await imageOf(kubectl, 'app'), 'nginx:1')
    assert.equal((await send('nginx:2', '--field-manager=other', '--force-conflicts')).code, 0)
    assert.equal(await imageOf(kubectl, 'app'), 'nginx:2')
    const { metadata } = await kubectl.json('get', 'deploy', 'app', '--show-managed-fields')
    const managers = (metadata as unknown as { managedFields: { manager: string; operation: string }[] }).managedFields
    assert.deepEqual(managers.map(({ manager, operation }) => `${manager} ${operation}`).sort(), [
      'kubectl Apply',
      'other Apply',
    ])
  },
  'an object of client-side apply goes over to server-side apply': async (kubectl) => {
    await kubectl.apply(configMap('conf', { a: '1', b: '2' }))
    await kubectl.run(['apply', '--server-side', '-f', '-'], { input: JSON.stringify(configMap('conf', { a: '1' })) })
    const { data } = await kubectl.json('get', 'cm', 'conf')
    assert.deepEqual(data, { a: '1' })
  },
  'a dry run shows what would be, and changes nothing': async (kubectl) => {
    const input = JSON.stringify(configMap('conf'))
    const { stdout } = await kubectl.run(['apply', '--dry-run=server', '-f', '-'], { input })
    assert.equal(stdout, 'configmap/conf created (server dry run)\n')
    assert.match(await kubectl.fails('get', 'cm', 'conf'), /NotFound/)
  },
  'mistakes are told before anything is done': async (kubectl) => {
    const unknown = { ...configMap('conf'), dta: {} }
    const strict = await kubectl.run(['apply', '-f', '-'], { input: JSON.stringify(unknown) })
    assert.equal(strict.code, 1)
    assert.match(strict.stderr, /strict decoding error: unknown field "dta"/)
    const warned = await kubectl.run(['apply', '--validate=warn', '-f', '-'], { input: JSON.stringify(unknown) })
    assert.equal(warned.code, 0)
    assert.match(warned.stderr, /Warning: unknown field "dta"/)
    const invalid = await kubectl.run(['apply', '-f', '-'], {
      input: JSON.stringify(deploymentWithImage('Not A Name')),
    })
    assert.match(
      invalid.stderr,
      /The Deployment "Not A Name" is invalid: \n\* metadata\.name: Invalid value: "Not A Name": a lowercase RFC 1123/,
    )
  },
  'diff shows what an apply would change, by its exit code too': async (kubectl) => {
    await kubectl.apply(deploymentWithImage('app', 'nginx:1'))
    const diff = (image: string) =>
      kubectl.run(['diff', '-f', '-'], { input: JSON.stringify(deploymentWithImage('app', image)) })
    assert.deepEqual(await diff('nginx:1'), { code: 0, stdout: '', stderr: '' })
    const { code, stdout } = await diff('nginx:2')
    assert.equal(code, 1)
    assert.match(stdout, /^- +- image: nginx:1\n\+ +- image: nginx:2$/m)
    assert.equal(await imageOf(kubectl, 'app'), 'nginx:1')
    const fresh = await kubectl.run(['diff', '-f', '-'], { input: JSON.stringify(configMap('fresh')) })
    assert.equal(fresh.code, 1)
    assert.match(fresh.stdout, /^\+kind: ConfigMap$/m)
  },
  'patches of three types, each in its own way': async (kubectl) => {
    await kubectl.create(deploymentWithImage('app'))
    const patch = (type: string, patch: unknown) =>
      kubectl.ok('patch', 'deploy', 'app', `--type=${type}`, `--patch=${JSON.stringify(patch)}`)
    const containers = (list: JsonObject[]) => ({ spec: { template: { spec: { containers: list } } } })
    assert.equal(
      await patch('strategic', containers([{ name: 'side', image: 'busybox' }])),
      'deployment.apps/app patched\n',
    )
    assert.equal(await containersOf(kubectl), 'side main')
    await patch('merge', containers([{ name: 'only', image: 'busybox' }]))
    assert.equal(await containersOf(kubectl), 'only')
    await patch('json', [
      { op: 'add', path: '/spec/template/spec/containers/0', value: { name: 'zero', image: 'busybox' } },
    ])
    assert.equal(await containersOf(kubectl), 'zero only')
    assert.equal(await patch('merge', {}), 'deployment.apps/app patched (no change)\n')
    assert.match(
      await kubectl.fails(
        'patch',
        'deploy',
        'app',
        '--type=json',
        '--patch=[{"op":"test","path":"/kind","value":"Pod"}]',
      ),
      /the server rejected our request|testing path|Invalid/,
    )
    assert.match(await kubectl.fails('patch', 'deploy', 'none', '--patch={}'), /NotFound/)
  },
  'patches of subresources': async (kubectl) => {
    await kubectl.create(deploymentWithImage('app'))
    await kubectl.ok(
      'patch',
      'deploy',
      'app',
      '--subresource=status',
      '--type=merge',
      '--patch={"status":{"replicas":7},"spec":{"replicas":9}}',
    )
    const scale = await kubectl.ok(
      'patch',
      'deploy',
      'app',
      '--subresource=scale',
      '--type=merge',
      '--patch={"spec":{"replicas":5}}',
    )
    assert.equal(scale, 'scale.autoscaling/app patched\n')
    const fields = '--output=jsonpath={.status.replicas} {.spec.replicas}'
    assert.equal(await kubectl.ok('get', 'deploy', 'app', fields), '7 5')
  },
})

function imageOf(kubectl: Kubectl, name: string): Promise<string> {
  return kubectl.ok('get', 'deploy', name, '--output=jsonpath={.spec.template.spec.containers[0].image}')
}

function containersOf(kubectl: Kubectl): Promise<string> {
  return kubectl.ok('get', 'deploy', 'app', '--output=jsonpath={.spec.template.spec.containers[*].name}')
}
