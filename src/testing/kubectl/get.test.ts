import assert from 'node:assert/strict'
import { once } from 'node:events'
import { parse } from 'yaml'
import { configMap, deploymentWithImage, kubectlSuite, nodeManifest, podManifest } from './suite.js'

kubectlSuite('kubectl get', {
  'prints tables, wide ones and none': async (kubectl) => {
    assert.equal((await kubectl.run(['get', 'deployments'])).stderr, 'No resources found in test-0 namespace.\n')
    await kubectl.create(deploymentWithImage('web', 'nginx:1', 3))
    const [head, row] = await kubectl.table('get', 'deployments')
    assert.deepEqual(head, ['NAME', 'READY', 'UP-TO-DATE', 'AVAILABLE', 'AGE'])
    assert.deepEqual(row?.slice(0, 4), ['web', '0/3', '0', '0'])
    const [wideHead, wideRow] = await kubectl.table('get', 'deploy/web', '--output=wide')
    assert.deepEqual(wideHead?.slice(5), ['CONTAINERS', 'IMAGES', 'SELECTOR'])
    assert.deepEqual(wideRow?.slice(5), ['main', 'nginx:1', 'app=web'])
    assert.equal((await kubectl.table('get', 'deploy', '--no-headers')).length, 1)
  },
  'prints objects in JSON, YAML and by name': async (kubectl) => {
    await kubectl.create(configMap('one', { key: 'value' }))
    const json = await kubectl.json('get', 'configmap', 'one')
    assert.deepEqual(json.data, { key: 'value' })
    assert.deepEqual(parse(await kubectl.ok('get', 'cm', 'one', '--output=yaml')), json)
    assert.equal(await kubectl.ok('get', 'cm/one', '--output=name'), 'configmap/one\n')
    assert.equal((json.metadata as { managedFields?: unknown }).managedFields, undefined)
    const shown = await kubectl.ok('get', 'cm/one', '--output=yaml', '--show-managed-fields')
    assert.match(shown, /managedFields:\n {2}- apiVersion: v1\n {4}fieldsType: FieldsV1/)
  },
  'prints what templates and columns ask for': async (kubectl) => {
    await kubectl.create(configMap('one', { key: 'a' }), configMap('two', { key: 'b' }))
    assert.equal(await kubectl.ok('get', 'cm', '--output=jsonpath={.items[*].metadata.name}'), 'one two')
    const filter = '--output=jsonpath={.items[?(@.data.key=="b")].metadata.name}'
    assert.equal(await kubectl.ok('get', 'cm', filter), 'two')
    const template = '--output=go-template={{range .items}}{{.metadata.name}}={{.data.key}};{{end}}'
    assert.equal(await kubectl.ok('get', 'cm', template), 'one=a;two=b;')
    const columns = '--output=custom-columns=NAME:.metadata.name,KEY:.data.key,NONE:.data.none'
    assert.deepEqual(await kubectl.table('get', 'cm', columns), [
      ['NAME', 'KEY', 'NONE'],
      ['one', 'a', '<none>'],
      ['two', 'b', '<none>'],
    ])
  },
  'selects by labels and fields, and shows labels': async (kubectl) => {
    await kubectl.create(podManifest('a', { tier: 'front' }), podManifest('b', { tier: 'back' }), podManifest('c'))
    const names = async (...args: string[]) =>
      (await kubectl.ok('get', 'pods', '--output=name', ...args)).trimEnd().split('\n')
    assert.deepEqual(await names('--selector=tier=front'), ['pod/a'])
    assert.deepEqual(await names('--selector=tier in (front,back)'), ['pod/a', 'pod/b'])
    assert.deepEqual(await names('--selector=!tier'), ['pod/c'])
    assert.deepEqual(await names('--field-selector=metadata.name!=b,status.phase=Pending'), ['pod/a', 'pod/c'])
    const [head, row] = await kubectl.table('get', 'pods', '--label-columns=tier')
    assert.deepEqual([head?.at(-1), row?.at(-1)], ['TIER', 'front'])
    assert.equal((await kubectl.table('get', 'pod', 'a', '--show-labels'))[1]?.at(-1), 'tier=front')
  },
  'sorts, and reads in pages': async (kubectl) => {
    await kubectl.create(
      configMap('one', { order: '3' }),
      configMap('two', { order: '1' }),
      configMap('six', { order: '2' }),
    )
    const sorted = await kubectl.table('get', 'cm', '--sort-by=.data.order', '--no-headers')
    assert.deepEqual(
      sorted.map(([name]) => name),
      ['two', 'six', 'one'],
    )
    const paged = await kubectl.table('get', 'cm', '--chunk-size=1', '--no-headers')
    assert.deepEqual(
      paged.map(([name]) => name),
      ['one', 'six', 'two'],
    )
  },
  'looks into all namespaces, and several kinds at once': async (kubectl) => {
    await kubectl.create(deploymentWithImage('everywhere'), podManifest('everywhere'), configMap('everywhere'))
    const rows = await kubectl.table('get', 'deploy', '--all-namespaces', '--selector=app=everywhere')
    assert.deepEqual(rows[0]?.slice(0, 2), ['NAMESPACE', 'NAME'])
    assert.deepEqual(rows[1]?.slice(0, 2), ['test-5', 'everywhere'])
    const all = await kubectl.ok('get', 'all', '--output=name')
    assert.equal(all, 'pod/everywhere\ndeployment.apps/everywhere\n')
    assert.equal(
      await kubectl.ok('get', 'deploy/everywhere', 'cm/everywhere', '--output=name'),
      'deployment.apps/everywhere\nconfigmap/everywhere\n',
    )
  },
  'reads subresources': async (kubectl) => {
    await kubectl.create(deploymentWithImage('web', 'nginx:1', 4))
    const scale = await kubectl.json('get', 'deployment', 'web', '--subresource=scale')
    assert.equal(scale.kind, 'Scale')
    assert.deepEqual(scale.spec, { replicas: 4 })
  },
  'watches: what is there, what changes, what goes': async (kubectl) => {
    await kubectl.create(configMap('first'))
    const watching = kubectl.start('get', 'configmaps', '--watch', '--output-watch-events', '--no-headers')
    let text = ''
    watching.stdout!.on('data', (data) => {
      text += data
    })
    const until = async (wanted: RegExp) => {
      while (!wanted.test(text)) await once(watching.stdout!, 'data')
    }
    await until(/ADDED +first/)
    await kubectl.create(configMap('second'))
    await until(/ADDED +second +0/)
    await kubectl.ok('patch', 'cm', 'second', '--patch={"data":{"a":"1"}}')
    await until(/MODIFIED +second +1/)
    await kubectl.ok('delete', 'cm', 'first')
    await until(/DELETED +first/)
    watching.kill()
    await once(watching, 'exit')
    const events = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ +/).slice(0, 2).join(' '))
    assert.deepEqual(events, ['ADDED first', 'ADDED second', 'MODIFIED second', 'DELETED first'])
  },
  'shows the rows of kinds that have their own': async (kubectl) => {
    await kubectl.create(nodeManifest('shown'), podManifest('shown'))
    assert.deepEqual((await kubectl.table('get', 'node', 'shown'))[1]?.slice(0, 3), ['shown', 'Unknown', '<none>'])
    assert.deepEqual((await kubectl.table('get', 'pod', 'shown'))[1]?.slice(0, 4), ['shown', '0/1', 'Pending', '0'])
    assert.deepEqual((await kubectl.table('get', 'namespace', 'test-8'))[1]?.slice(0, 2), ['test-8', 'Active'])
  },
})
